import "server-only";
import { z } from "zod";
import { ADMIN_OPERATIONS, INVITATION_OPERATIONS } from "@/lib/api/console/admin/admin-operations";
import { AUDIT_OPERATIONS } from "@/lib/api/console/audit/audit-operations";
import { CONNECTION_OPERATIONS } from "@/lib/api/console/connections/connection-operations";
import { KEY_OPERATIONS } from "@/lib/api/console/keys/key-operations";
import {
  getAttentionOperation,
  NOTIFICATION_OPERATIONS,
} from "@/lib/api/console/notifications/notification-operations";
import { requireSameOrigin } from "@/lib/api/console/require-same-origin";
import { listSecretUsesOperation } from "@/lib/api/console/secrets/secret-operations";
import { findSession } from "@/lib/api/console/session";
import { SECOND_FACTOR_OPERATIONS } from "@/lib/api/console/session/second-factor-operations";
import {
  deleteAccountOperation,
  renameUserOperation,
  SESSION_OPERATIONS,
  setEventMailsOperation,
} from "@/lib/api/console/session/session-operations";
import {
  EMAIL_OPERATIONS,
  PASSWORD_OPERATIONS,
  signUpOperation,
} from "@/lib/api/console/session/sign-in-operations";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { type Operation, operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { takeSessionBudget } from "@/lib/domain/limits/request-budgets";
import { listModels } from "@/lib/domain/models/models";
import { ServiceError } from "@/lib/model/errors";
import { modelField } from "@/lib/model/run/run-fields";

const modelSchema = z
  .object({
    model: modelField,
    provider: z.string(),
    name: z.string(),
    description: z.string(),
    available: z.boolean(),
    default: z.boolean(),
    capabilities: z.array(z.string()),
    context_window: z.number().int(),
    price: z.object({ input: z.number(), output: z.number(), unit: z.string() }),
    life: z
      .enum(["active", "ending", "gone"])
      .meta({ description: "`ending`: its vendor ends it within sixty days; `gone`: it has." }),
    retires: z
      .string()
      .nullable()
      .meta({ description: "The first day (UTC) on which its vendor no longer serves it." }),
    successor: z.string().nullable(),
    aliases: z.array(z.string()).meta({ description: "Ids that stand for it now." }),
  })
  .meta({ id: "ModelInfo" });

const listModelsOperation = operation({
  method: "GET",
  path: "/api/console/models",
  operationId: "listModels",
  tag: "Console",
  summary: "List models",
  description: "The published list, with what is switched on in this deployment.",
  auth: "session",
  responses: [
    {
      status: 200,
      description: "The models.",
      schema: z.object({ data: z.array(modelSchema), default_model: z.string() }),
    },
  ],
  errors: [],
  async handle() {
    const { models, aliases, defaultModel } = listModels();
    const named = Object.entries(aliases);
    const data = models.map((model) => ({
      model: model.id,
      provider: model.provider,
      name: model.label,
      description: model.description,
      available: model.switched_on,
      default: model.id === defaultModel,
      capabilities: [
        ...(model.tools ? ["tools"] : []),
        ...(model.vision ? ["vision"] : []),
        ...(model.reasoning ? ["reasoning"] : []),
      ],
      context_window: model.context_tokens,
      price: {
        input: model.price.input,
        output: model.price.output,
        unit: "credits per million tokens",
      },
      life: model.life,
      retires: model.retires,
      successor: model.successor,
      aliases: named.flatMap(([alias, id]) => (id === model.id ? [alias] : [])),
    }));
    return { status: 200, body: { data, default_model: defaultModel } };
  },
});

/** What only the console can do; it does the rest through the operations of `/v1`. */
export const CONSOLE_OPERATIONS: Operation[] = [
  signUpOperation,
  ...EMAIL_OPERATIONS,
  ...PASSWORD_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
  renameUserOperation,
  setEventMailsOperation,
  deleteAccountOperation,
  ...KEY_OPERATIONS,
  listModelsOperation,
  ...NOTIFICATION_OPERATIONS,
  getAttentionOperation,
  listSecretUsesOperation,
  ...CONNECTION_OPERATIONS,
  ...ADMIN_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...AUDIT_OPERATIONS,
];

const PREFIX = "/api/console";

/**
 * `/api/console`: the console's own operations, and under `/api/console/v1` every operation of
 * `/v1`, with the session in place of a key. Its requests count as those of keys do: a session is
 * no way around the account's limits. A request that changes something must come from our own
 * pages: its `Origin` is checked beside the SameSite cookie.
 */
export const consoleSurface: ApiSurface = {
  router: new Router([...V1_OPERATIONS, ...CONSOLE_OPERATIONS]),
  toPath: (pathname) =>
    pathname.startsWith(`${PREFIX}/v1/`) ? pathname.slice(PREFIX.length) : pathname,
  admit(request, operation) {
    if (operation.method !== "GET") requireSameOrigin(request);
  },
  async authenticate(_request, operation) {
    const session = await findSession();
    if (!session)
      throw new ServiceError("AUTHENTICATION_REQUIRED", "Your session has ended. Sign in again.");
    const { budget, writePerHour } = await takeSessionBudget(
      session.principal.accountId,
      operation.budget,
    );
    return { principal: { ...session.principal, writePerHour }, budget };
  },
};

const answer = (request: Request): Promise<Response> => dispatch(consoleSurface, request);

/** The methods of the console's one route file. */
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
