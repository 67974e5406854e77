import "server-only";
import { z } from "zod";
import { findSession } from "@/lib/api/console/session";
import { type Operation, operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/schemas/fields";
import { connectionsPage } from "@/lib/domain/connections/connection-store";
import { finishSignIn, type SignInOutcome } from "@/lib/domain/connections/finish-sign-in";
import { listConnectionUses } from "@/lib/domain/connections/list-connections";

const useSchema = z
  .object({ server_url: z.string(), agent_id: idField, agent_name: z.string() })
  .meta({ id: "ConnectionUse" });

const listConnectionUsesOperation = operation({
  method: "GET",
  path: "/api/console/connection-uses",
  operationId: "listConnectionUses",
  tag: "Console",
  summary: "List which agents sign in where",
  description:
    "Each active agent whose config signs in to an MCP server, whether or not the account has that connection.",
  auth: "session",
  responses: [
    { status: 200, description: "The uses.", schema: z.object({ data: z.array(useSchema) }) },
  ],
  errors: [],
  async handle({ principal }) {
    const uses = await listConnectionUses(principal);
    return {
      status: 200,
      body: {
        data: uses.map((use) => ({
          server_url: use.serverUrl,
          agent_id: use.agentId,
          agent_name: use.agentName,
        })),
      },
    };
  },
});

const answerField = z.string().max(8_192).optional();

/**
 * Where authorization servers send a person's browser back to: a page of ours must come next,
 * whatever they sent.
 */
const finishSignInOperation = operation({
  method: "GET",
  path: "/api/console/connections/callback",
  operationId: "finishConnectionSignIn",
  tag: "Console",
  summary: "Finish a sign-in at an MCP server",
  description:
    "Takes the authorization server's answer from the browser of who began the sign-in, and leads to the page of connections.",
  auth: "none",
  // Servers add what they like, and what is missing is said on the page.
  query: z.looseObject({
    state: answerField,
    code: answerField,
    error: answerField,
    error_description: answerField,
    iss: answerField,
  }),
  responses: [
    { status: 303, description: "To the page of connections, with what became of the sign-in." },
  ],
  errors: [],
  async handle({ query }) {
    const session = await findSession();
    if (!session) return toPage("signed-out");
    const outcome = await finishSignIn(session.principal, {
      state: query.state ?? "",
      code: query.code ?? null,
      error: query.error ?? null,
      errorDescription: query.error_description ?? null,
      issuer: query.iss ?? null,
    });
    return toPage(outcome);
  },
});

/**
 * Words of ours alone, for anybody may make a link to that page; and the code and the state leave
 * the address bar.
 */
function toPage(outcome: SignInOutcome | "signed-out"): Response {
  const location = `${connectionsPage()}?sign-in=${outcome}`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

export const CONNECTION_OPERATIONS: Operation[] = [
  listConnectionUsesOperation,
  finishSignInOperation,
];
