import { expect } from "@playwright/test";
import { type AccountFixtures, RUN_FILE } from "./account-fixtures";
import type { ApiClient, ApiResponse, RequestOptions } from "./api-client";
import type { DocumentedOperation } from "./api-document";
import { expectError } from "./expect-answers";
import { UNKNOWN_ID } from "./unknown-ids";

const AGENT_DOCUMENT = "kind: agent\nformat: 1\nname: N\nskill_content: S\n";
/** Stands in a body for an agent of whoever asks. */
const OWN_AGENT = "{own agent}";
const rawRequest = (text: string, type: string): RequestOptions => ({
  raw: text,
  headers: { "content-type": type },
});

/** A request of each operation that needs a body, which a service without limits would accept. */
const REQUESTS: Record<string, RequestOptions> = {
  createAgent: { json: { input: "An agent, please." } },
  updateAgent: { json: { name: "Taken over" } },
  duplicateAgent: { json: {} },
  importAgent: rawRequest(AGENT_DOCUMENT, "application/yaml"),
  restoreAgentVersion: { json: {} },
  createAgentEdit: { json: { input: "Rename it." } },
  createRun: { json: { input: {} } },
  getRunFileContent: { query: { path: RUN_FILE } },
  replayRun: { json: {} },
  updateRun: { json: { max_credits: 900_000_000 } },
  updateSuperAgentRun: { json: { max_credits: 900_000_000 } },
  updateAppRun: { json: { maxCredits: 900_000_000 } },
  sendMessage: { json: { input: "planted" } },
  sendSuperAgentMessage: { json: { input: "planted" } },
  sendAppMessage: { json: { input: "planted" } },
  submitToolResults: { json: { results: [{ tool_call_id: "call", output: "planted" }] } },
  createClientToken: {
    json: { agent_id: OWN_AGENT, end_user: "u_1", origins: ["https://a.test"] },
  },
  resolveAppApproval: { json: { decision: "approve" } },
  submitAppToolResults: { json: { results: [{ toolCallId: "call", output: "planted" }] } },
  createRealtimeRun: { json: { input: {} } },
  createWorkspace: { json: { name: "Another" } },
  updateWorkspace: { json: { name: "Taken over" } },
  uploadFile: { ...rawRequest("planted", "text/plain"), query: { path: "planted.txt" } },
  // An address of its own: what stands there already would be signed in to anew.
  connectServer: { json: { server_url: `${process.env.E2E_OAUTH_MCP_URL}?another` } },
  createSecret: { json: { name: "ANOTHER", value: "x", allowed_hosts: ["api.unknown.invalid"] } },
  updateSecret: { json: { value: "taken over" } },
  installSkill: { json: { content: "---\nname: another\ndescription: x\n---\nx" } },
  rotateWebhookSecret: { json: { overlap_minutes: 60 } },
  createWebhookEndpoint: {
    json: { url: "https://hooks.unknown.invalid/x", events: ["schedule.failed"] },
  },
  updateWebhookEndpoint: { json: { description: "Taken over" } },
  rotateWebhookEndpointSecret: { json: { overlap_minutes: 60 } },
  resolveApproval: { json: { decision: "approve" } },
  convertOpenapi: { json: { document: { openapi: "3.1.0", paths: { "/a": { get: {} } } } } },
  setEndUserLimits: { json: { max_credits_per_day: 1_000 } },
  updateMemory: { json: { text: "Taken over" } },
  createAgentCase: {
    json: { name: "x", input: {}, checks: [{ type: "contains", value: "x" }] },
  },
  createSchedule: { json: { cron: "0 0 1 1 *" } },
  updateSchedule: { json: { cron: "0 0 2 2 *" } },
  putProductProfile: { json: { name: "Taken over" } },
  createSuperAgentRun: { json: { input: {} } },
  createSuperAgentRealtimeRun: { json: { input: {} } },
  createAppRun: { json: { inputs: {} } },
};

/**
 * A request that `operation` would accept but for its path. Throws for an operation whose body is
 * not known here.
 */
export function goodRequest(operation: DocumentedOperation): RequestOptions {
  const good = REQUESTS[operation.id];
  if (good === undefined && operation.takesJson)
    throw new Error(`Add a good body of ${operation.id} to every-operation.ts.`);
  return good ?? {};
}

/** The client whose key the operation takes. */
export function clientFor(owner: AccountFixtures, operation: DocumentedOperation): ApiClient {
  return operation.auth === "app" ? owner.app : owner.account.api;
}

/** Where each id of the operation's path stands: the path up to and with it. */
export function pathPrefixes({ path, pathParameters }: DocumentedOperation): string[] {
  return pathParameters.map((place) =>
    path.slice(0, path.indexOf(`{${place}}`) + place.length + 2),
  );
}

/**
 * The owner's id for a place. Throws when there is none: a new kind of object has to be added to
 * `account-fixtures.ts`.
 */
export function idAt(owner: AccountFixtures, place: string): string {
  const id = owner.ids[place];
  if (id === undefined) throw new Error(`Add an object for ${place} to account-fixtures.ts.`);
  return id;
}

/** What nobody has at a place. */
export function unknownIdAt(place: string): string {
  if (place.endsWith("/templates/{name}")) return "no-such-template";
  return place.endsWith("{name}") ? "NOBODYS_SECRET" : UNKNOWN_ID;
}

/** What nothing can be called at a place. */
export function malformedIdAt(place: string): string {
  if (place.endsWith("{end_user}")) return "x".repeat(513);
  return place.endsWith("/templates/{name}") ? "Not_a_name" : "not-an-id";
}

/** Whether the operation needs what its path names; a limit is set for whoever may come, too. */
export function needsObject({ id }: DocumentedOperation): boolean {
  return id !== "setEndUserLimits";
}

/**
 * Asks the operation with these ids in its places, by a request that it would accept unless
 * `options` say otherwise.
 */
export function callOperation(
  client: ApiClient,
  operation: DocumentedOperation,
  ids: string[],
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const path = operation.pathParameters.reduce(
    (text, place, index) => text.replace(`{${place}}`, ids[index] ?? ""),
    operation.path,
  );
  return client.request(
    operation.method,
    path,
    ofOwn(client, { ...goodRequest(operation), ...options }),
  );
}

function ofOwn({ ownAgent }: ApiClient, options: RequestOptions): RequestOptions {
  if (Object(options.json).agent_id !== OWN_AGENT) return options;
  return { ...options, json: { ...Object(options.json), agent_id: ownAgent } };
}

/** Artifacts are signed anew whenever they are shown. */
export function withoutSignatures(text: string): string {
  return text.replace(/\?expires=[^"]*/g, "");
}

/**
 * Every answer that an owner can read about what they own, so that two of these tell whether
 * anything changed.
 */
export async function readAll(
  operations: DocumentedOperation[],
  owner: AccountFixtures,
): Promise<string[]> {
  // The account itself names the time of the question, and limits that a test may set.
  const reads = operations.filter(
    ({ id, method, auth }) => method === "GET" && auth !== "none" && !id.startsWith("getAccount"),
  );
  const answers = await Promise.all(
    reads.map(async (operation) => {
      const ids = pathPrefixes(operation).map((place) => idAt(owner, place));
      const { status, text } = await callOperation(clientFor(owner, operation), operation, ids);
      return `${operation.id} ${status} ${withoutSignatures(text)}`;
    }),
  );
  for (const answer of answers) expect(answer).toMatch(/^\w+ 200 /);
  return answers;
}

const NOT_FOUND_CODES: [end: string, code: string][] = [
  ["{agent_id}", "AGENT_NOT_FOUND"],
  ["{version_id}", "VERSION_NOT_FOUND"],
  ["{schedule_id}", "SCHEDULE_NOT_FOUND"],
  ["{memory_id}", "MEMORY_NOT_FOUND"],
  ["{end_user}", "END_USER_NOT_FOUND"],
  ["{case_id}", "CASE_NOT_FOUND"],
  ["{remembered_id}", "APPROVAL_NOT_FOUND"],
  ["{run_id}", "RUN_NOT_FOUND"],
  ["{conversation_id}", "CONVERSATION_NOT_FOUND"],
  ["{conversationId}", "CONVERSATION_NOT_FOUND"],
  ["{workspace_id}", "WORKSPACE_NOT_FOUND"],
  ["{workspaceId}", "WORKSPACE_NOT_FOUND"],
  ["{file_id}", "FILE_NOT_FOUND"],
  ["{connection_id}", "CONNECTION_NOT_FOUND"],
  ["/v1/secrets/{name}", "SECRET_NOT_FOUND"],
  ["/v1/templates/{name}", "TEMPLATE_NOT_FOUND"],
  ["{skill_id}", "SKILL_NOT_FOUND"],
  ["{approval_id}", "APPROVAL_NOT_FOUND"],
  ["{approvalId}", "APPROVAL_NOT_FOUND"],
  ["{artifact_id}", "NOT_FOUND"],
  ["{delivery_id}", "DELIVERY_NOT_FOUND"],
  ["{endpoint_id}", "ENDPOINT_NOT_FOUND"],
  ["{appId}", "APP_NOT_FOUND"],
  ["{runId}", "RUN_NOT_FOUND"],
];

/**
 * The code by which an operation says that the object at a place of its path, or in a field of its
 * body (`{field}`), is not there.
 */
export function notFoundCode(place: string): string {
  const code = NOT_FOUND_CODES.find(([end]) => place.endsWith(end))?.[1];
  if (code === undefined)
    throw new Error(`Add the code of a missing object at ${place} to every-operation.ts.`);
  return code;
}

/**
 * Keeps which documented error of which operation was really seen, so that a test can name those
 * that never were.
 */
export class ErrorCases {
  readonly #seen = new Set<string>();

  /**
   * Holds an answer to the error contract and to its operation's documented codes, and remembers
   * it.
   */
  note(
    operation: DocumentedOperation,
    answer: ApiResponse,
    status: number,
    code: string,
    path?: string,
  ): void {
    expectError(answer, status, code, path);
    if (!operation.codes.includes(code))
      throw new Error(`${operation.id} does not document ${code}.`);
    this.#seen.add(`${operation.id} ${code}`);
  }

  /** `operation CODE` of every documented error that has not been seen. */
  missingOf(operations: DocumentedOperation[]): string[] {
    return operations
      .flatMap(({ id, codes }) => codes.map((code) => `${id} ${code}`))
      .filter((each) => !this.#seen.has(each));
  }
}
