import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/api/schemas/fields";
import { createClientToken } from "@/lib/domain/client-tokens/create-client-token";
import {
  CLIENT_ORIGIN_MAX_CHARACTERS,
  CLIENT_ORIGINS_MAX,
  CLIENT_POWERS,
  CLIENT_TOKEN_DEFAULT_SECONDS,
  CLIENT_TOKEN_MAX_SECONDS,
  isClientOrigin,
} from "@/lib/model/client-token";
import { endUserField } from "@/lib/model/end-user";

const originField = z
  .string()
  .max(CLIENT_ORIGIN_MAX_CHARACTERS)
  .refine(
    isClientOrigin,
    "must be an origin as browsers send it: https://, host and port alone, in lower case; " +
      "http:// on localhost only",
  )
  .meta({ description: "Scheme, host and port of your page.", example: "https://app.example.com" });

const createClientTokenBody = z
  .strictObject({
    agent_id: idField.meta({ description: "The one agent that it runs." }),
    end_user: endUserField.meta({
      description:
        "Your name for the person, such as a row's id. The token sees the runs with this " +
        "`end_user` alone, and starts no others.",
    }),
    conversation_id: idField.optional().meta({
      description: "Only this conversation of theirs. Absent: all of them, and new ones.",
    }),
    expires_in: z
      .number()
      .int()
      .min(1)
      .max(CLIENT_TOKEN_MAX_SECONDS)
      .default(CLIENT_TOKEN_DEFAULT_SECONDS)
      .meta({ description: "Seconds." }),
    can: z
      .array(z.enum(CLIENT_POWERS))
      .min(1)
      .max(CLIENT_POWERS.length)
      .default(["run", "read"])
      .meta({
        description:
          "`run`: start runs and answer their client tools; `read`: fetch and follow runs " +
          "and approvals; `message`: say something to a run at work, with `run` also what is " +
          "to come after it; `cancel`: cancel runs; `approve`: decide approvals.",
      }),
    origins: z.array(originField).min(1).max(CLIENT_ORIGINS_MAX).meta({
      description: "The origins whose pages may send it, and read the answers.",
    }),
  })
  .meta({ id: "CreateClientTokenRequest" });

const clientTokenSchema = z
  .object({
    token: z.string().meta({ description: "For one person's browser. It is stored nowhere." }),
    expires_at: timeField,
  })
  .meta({ id: "ClientToken" });

const createClientTokenOperation = operation({
  method: "POST",
  path: "/v1/client-tokens",
  operationId: "createClientToken",
  tag: "Client tokens",
  summary: "Make a token for a browser",
  description:
    "A short-lived token with which the browser of one person runs one agent, on the " +
    "app-scoped path alone. It ends by its time, and before that with the key or session " +
    "that made it, when the agent is archived, or when the account is blocked. Make one for " +
    "a person whom you have signed in, when their page asks for it.",
  body: createClientTokenBody,
  examples: {
    chat: {
      agent_id: EXAMPLE_IDS.agent_id,
      end_user: "u_42",
      expires_in: 900,
      can: ["run", "read", "cancel", "approve"],
      origins: ["https://app.example.com"],
    },
  },
  creates: ["nothing"],
  responses: [
    {
      status: 201,
      description: "The token.",
      schema: clientTokenSchema,
      examples: {
        token: {
          token: "client_1769852700.eyJpZCI6…",
          expires_at: "2026-01-31T09:45:00.000Z",
        },
      },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "CONVERSATION_NOT_FOUND",
    "CONFLICT",
    "ACCOUNT_BLOCKED",
  ],
  async handle({ principal, body }) {
    const { token, expiresAt } = await createClientToken(principal, {
      agentId: body.agent_id,
      endUser: body.end_user,
      conversationId: body.conversation_id ?? null,
      can: body.can,
      origins: body.origins,
      expiresInSeconds: body.expires_in,
    });
    return { status: 201, body: { token, expires_at: expiresAt.toISOString() } };
  },
});

export const CLIENT_TOKEN_OPERATIONS = [createClientTokenOperation];
