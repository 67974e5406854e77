import "server-only";
import { z } from "zod";
import { findSession } from "@/lib/api/console/session";
import { readSignedCookie, signedCookie, toSetCookie } from "@/lib/api/console/signed-cookies";
import { type Operation, operation } from "@/lib/api/http/operation";
import type { ApiRequest } from "@/lib/api/http/request";
import { idField } from "@/lib/api/schemas/fields";
import { connectionsPage } from "@/lib/domain/connections/connection-store";
import { finishSignIn, type SignInOutcome } from "@/lib/domain/connections/finish-sign-in";
import { listConnectionUses } from "@/lib/domain/connections/list-connections";
import {
  type EndedSignIn,
  findSignInLink,
  finishEndUsersSignIn,
  isEndUsersState,
  openSignInLink,
} from "@/lib/domain/connections/sign-in-link";
import { invalidInput } from "@/lib/model/errors";
import { publicBaseUrl } from "@/lib/platform/public-base-url";

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
    "Each active agent whose config signs in to an MCP server, whether or not the account " +
    "has that connection.",
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
    "Takes the authorization server's answer from the browser of who began the sign-in, and " +
    "leads to the page of connections.",
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
  async handle({ query, request }) {
    const answer = {
      state: query.state ?? "",
      code: query.code ?? null,
      error: query.error ?? null,
      errorDescription: query.error_description ?? null,
      issuer: query.iss ?? null,
    };
    const browserKeys = browserKeysOf(request);
    if (await isEndUsersState(browserKeys, answer.state))
      return toEndUser(await finishEndUsersSignIn(browserKeys, answer));
    const session = await findSession();
    if (!session) return toPage("signed-out");
    return toPage(await finishSignIn(session.principal, answer));
  },
});

const linkField = z.string().max(100);
const linkSchema = z
  .object({ link: z.object({ host: z.string(), account_name: z.string() }).nullable() })
  .meta({ id: "FoundSignInLink", description: "What a link leads to; null: it is good no more." });

const findSignInLinkOperation = operation({
  method: "POST",
  path: "/api/console/connections/link",
  operationId: "findSignInLink",
  provenOnly: false,
  tag: "Console",
  summary: "Look at a link",
  description:
    "Where the end user signs in who follows it, and for which account. It uses nothing up: " +
    "programs look at links before people do.",
  auth: "none",
  body: z.strictObject({ link: linkField }),
  responses: [{ status: 200, description: "What it leads to.", schema: linkSchema }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED"],
  async handle({ body }) {
    const found = await findSignInLink(body.link);
    return {
      status: 200,
      body: { link: found && { host: found.host, account_name: found.accountName } },
    };
  },
});

const openedSchema = z
  .object({ authorization_url: z.string() })
  .meta({ id: "OpenedSignInLink", description: "Where this browser goes to sign in." });

/** Open to whoever has the link: it is made for somebody who has no account here. */
const openSignInLinkOperation = operation({
  method: "POST",
  path: "/api/console/connections/open",
  operationId: "openSignInLink",
  provenOnly: false,
  tag: "Console",
  summary: "Begin a sign-in by a link",
  description:
    "Uses up a link by which an end user signs in at an MCP server, and has this browser " +
    "keep what the sign-in ends with.",
  auth: "none",
  body: z.strictObject({ link: linkField }),
  responses: [{ status: 200, description: "Where to sign in.", schema: openedSchema }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED"],
  async handle({ body, request }) {
    const opened = await openSignInLink(body.link);
    if (!opened)
      throw invalidInput("link", "is good no more: it was used, or is older than ten minutes");
    const keys = [opened.browserKey, ...browserKeysOf(request)].slice(0, BROWSER_KEYS_MAX);
    return {
      status: 200,
      body: { authorization_url: opened.authorizationUrl },
      headers: { "Set-Cookie": toSetCookie(signedCookie("lathe.connect", keys.join(","))) },
    };
  },
});

/** Sign-ins that one browser may have under way. */
const BROWSER_KEYS_MAX = 4;

function browserKeysOf(request: ApiRequest): string[] {
  const kept = readSignedCookie(request.headers.get("cookie"), "lathe.connect");
  return kept ? kept.split(",") : [];
}

/**
 * To the backend that made the link, where it said so, else to a page that says what became of it.
 */
function toEndUser({ outcome, connectionId, returnUrl }: EndedSignIn): Response {
  const location = new URL(returnUrl ?? `${publicBaseUrl()}/connect`);
  location.searchParams.set("sign_in", outcome);
  if (returnUrl !== null && connectionId !== null)
    location.searchParams.set("connection_id", connectionId);
  return seeOther(location.href);
}

/**
 * Words of ours alone, for anybody may make a link to that page; and the code and the state leave
 * the address bar.
 */
function toPage(outcome: SignInOutcome | "signed-out"): Response {
  return seeOther(`${connectionsPage()}?sign-in=${outcome}`);
}

function seeOther(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

export const CONNECTION_OPERATIONS: Operation[] = [
  listConnectionUsesOperation,
  finishSignInOperation,
  findSignInLinkOperation,
  openSignInLinkOperation,
];
