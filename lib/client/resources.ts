import type { MaybeOptionalInit } from "openapi-fetch";
import type { paths } from "./openapi-types";
import type { AnswerOf, List, ListPath, PathOf, RowOf, Verbs } from "./verbs";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Method, path, and `body` where the request has one. `list` is the GET of a list, row by row. */
type Route = readonly [method: Method | "list", path: keyof paths, body?: "body"];

/**
 * The operations of the API under names, by what they are about; those that take more than a
 * request (streams, waiting, bytes) have methods of their own. A test holds this list to the
 * document, and the Python client is made of the same names.
 */
export const RESOURCES = {
  account: {
    get: ["get", "/v1/account"],
    usage: ["get", "/v1/account/usage"],
    webhookSecret: ["get", "/v1/account/webhook-secret"],
    rotateWebhookSecret: ["post", "/v1/account/webhook-secret/rotate", "body"],
  },
  agentCases: {
    list: ["list", "/v1/agents/{agent_id}/cases"],
    create: ["post", "/v1/agents/{agent_id}/cases", "body"],
    delete: ["delete", "/v1/agents/{agent_id}/cases/{case_id}"],
  },
  agents: {
    list: ["list", "/v1/agents"],
    get: ["get", "/v1/agents/{agent_id}"],
    update: ["patch", "/v1/agents/{agent_id}", "body"],
    archive: ["delete", "/v1/agents/{agent_id}"],
    duplicate: ["post", "/v1/agents/{agent_id}/duplicate", "body"],
    listVersions: ["list", "/v1/agents/{agent_id}/versions"],
    getVersion: ["get", "/v1/agents/{agent_id}/versions/{version_id}"],
    restoreVersion: ["post", "/v1/agents/{agent_id}/versions/{version_id}/restore", "body"],
    listEdits: ["list", "/v1/agents/{agent_id}/edits"],
    getEdit: ["get", "/v1/agents/{agent_id}/edits/{run_id}"],
  },
  apps: {
    createRun: ["post", "/api/v1/apps/{appId}/runs", "body"],
    getRun: ["get", "/api/v1/apps/{appId}/runs/{runId}"],
    listRuns: ["get", "/api/v1/apps/{appId}/runs"],
    updateRun: ["patch", "/api/v1/apps/{appId}/runs/{runId}", "body"],
    cancelRun: ["post", "/api/v1/apps/{appId}/runs/{runId}/cancel"],
    submitToolResults: ["post", "/api/v1/apps/{appId}/runs/{runId}/tool-results", "body"],
    sendMessage: ["post", "/api/v1/apps/{appId}/runs/{runId}/messages", "body"],
    listApprovals: ["get", "/api/v1/apps/{appId}/approvals"],
    getApproval: ["get", "/api/v1/apps/{appId}/approvals/{approvalId}"],
    resolveApproval: ["post", "/api/v1/apps/{appId}/approvals/{approvalId}/resolve", "body"],
  },
  approvals: {
    list: ["list", "/v1/approvals"],
    get: ["get", "/v1/approvals/{approval_id}"],
    resolve: ["post", "/v1/approvals/{approval_id}/resolve", "body"],
    listRemembered: ["list", "/v1/agents/{agent_id}/remembered-approvals"],
    deleteRemembered: ["delete", "/v1/agents/{agent_id}/remembered-approvals/{remembered_id}"],
  },
  artifacts: { delete: ["delete", "/v1/artifacts/{artifact_id}"] },
  clientTokens: { create: ["post", "/v1/client-tokens", "body"] },
  connectors: { convertOpenapi: ["post", "/v1/connectors/openapi", "body"] },
  conversations: {
    list: ["list", "/v1/conversations"],
    get: ["get", "/v1/conversations/{conversation_id}"],
    delete: ["delete", "/v1/conversations/{conversation_id}"],
  },
  documents: {
    openapi: ["get", "/v1/openapi.json"],
    agentConfigSchema: ["get", "/v1/schemas/agent-config.json"],
    dashboardTemplateSchema: ["get", "/v1/schemas/dashboard-template.json"],
  },
  files: {
    list: ["list", "/v1/workspaces/{workspace_id}/files"],
    get: ["get", "/v1/workspaces/{workspace_id}/files/{file_id}"],
    delete: ["delete", "/v1/workspaces/{workspace_id}/files/{file_id}"],
  },
  endUsers: {
    list: ["list", "/v1/end-users"],
    get: ["get", "/v1/end-users/{end_user}"],
    erase: ["delete", "/v1/end-users/{end_user}"],
    setLimits: ["put", "/v1/end-users/{end_user}/limits", "body"],
  },
  memories: {
    list: ["list", "/v1/agents/{agent_id}/memories"],
    get: ["get", "/v1/agents/{agent_id}/memories/{memory_id}"],
    update: ["patch", "/v1/agents/{agent_id}/memories/{memory_id}", "body"],
    delete: ["delete", "/v1/agents/{agent_id}/memories/{memory_id}"],
  },
  productProfile: {
    get: ["get", "/v1/product-profile"],
    replace: ["put", "/v1/product-profile", "body"],
  },
  runs: {
    list: ["list", "/v1/runs"],
    update: ["patch", "/v1/runs/{run_id}", "body"],
    delete: ["delete", "/v1/runs/{run_id}"],
    replay: ["post", "/v1/runs/{run_id}/replay", "body"],
    trace: ["get", "/v1/runs/{run_id}/trace"],
    listFiles: ["list", "/v1/runs/{run_id}/files"],
    submitToolResults: ["post", "/v1/runs/{run_id}/tool-results", "body"],
    sendMessage: ["post", "/v1/runs/{run_id}/messages", "body"],
    listMessages: ["list", "/v1/runs/{run_id}/messages"],
  },
  schedules: {
    list: ["list", "/v1/agents/{agent_id}/schedules"],
    create: ["post", "/v1/agents/{agent_id}/schedules", "body"],
    update: ["patch", "/v1/agents/{agent_id}/schedules/{schedule_id}", "body"],
    delete: ["delete", "/v1/agents/{agent_id}/schedules/{schedule_id}"],
    run: ["post", "/v1/agents/{agent_id}/schedules/{schedule_id}/run"],
    firings: ["list", "/v1/agents/{agent_id}/schedules/{schedule_id}/firings"],
  },
  connections: {
    list: ["list", "/v1/connections"],
    get: ["get", "/v1/connections/{connection_id}"],
    create: ["post", "/v1/connections", "body"],
    delete: ["delete", "/v1/connections/{connection_id}"],
  },
  secrets: {
    list: ["list", "/v1/secrets"],
    get: ["get", "/v1/secrets/{name}"],
    create: ["post", "/v1/secrets", "body"],
    replace: ["put", "/v1/secrets/{name}", "body"],
    delete: ["delete", "/v1/secrets/{name}"],
  },
  skills: {
    list: ["list", "/v1/skills"],
    get: ["get", "/v1/skills/{skill_id}"],
    install: ["post", "/v1/skills", "body"],
    enable: ["post", "/v1/skills/{skill_id}/enable"],
    disable: ["post", "/v1/skills/{skill_id}/disable"],
    delete: ["delete", "/v1/skills/{skill_id}"],
  },
  superAgentRuns: {
    list: ["list", "/v1/super-agent/runs"],
    update: ["patch", "/v1/super-agent/runs/{run_id}", "body"],
    sendMessage: ["post", "/v1/super-agent/runs/{run_id}/messages", "body"],
    listMessages: ["list", "/v1/super-agent/runs/{run_id}/messages"],
  },
  templates: {
    list: ["list", "/v1/templates"],
    get: ["get", "/v1/templates/{name}"],
  },
  webhookEndpoints: {
    list: ["list", "/v1/webhook-endpoints"],
    get: ["get", "/v1/webhook-endpoints/{endpoint_id}"],
    create: ["post", "/v1/webhook-endpoints", "body"],
    update: ["patch", "/v1/webhook-endpoints/{endpoint_id}", "body"],
    delete: ["delete", "/v1/webhook-endpoints/{endpoint_id}"],
    rotateSecret: ["post", "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", "body"],
    test: ["post", "/v1/webhook-endpoints/{endpoint_id}/test"],
  },
  events: { list: ["get", "/v1/events"] },
  webhookDeliveries: {
    list: ["list", "/v1/webhook-deliveries"],
    get: ["get", "/v1/webhook-deliveries/{delivery_id}"],
    redeliver: ["post", "/v1/webhook-deliveries/{delivery_id}/redeliver"],
  },
  workspaces: {
    list: ["list", "/v1/workspaces"],
    create: ["post", "/v1/workspaces", "body"],
    get: ["get", "/v1/workspaces/{workspace_id}"],
    update: ["patch", "/v1/workspaces/{workspace_id}", "body"],
    delete: ["delete", "/v1/workspaces/{workspace_id}"],
    listAgents: ["list", "/v1/workspaces/{workspace_id}/agents"],
    assignAgent: ["put", "/v1/workspaces/{workspace_id}/agents/{agent_id}"],
    unassignAgent: ["delete", "/v1/workspaces/{workspace_id}/agents/{agent_id}"],
  },
} as const satisfies Record<string, Record<string, Route>>;

/** An id for each `{…}` of a path, in its order. */
type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : [];

/** An operation's body; it may be left out where the document says so. */
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? [body: Body]
  : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
    ? [body?: Body]
    : [];

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? Exclude<Query, undefined>
  : never;
type HeadersOf<Operation> = Operation extends { parameters: { header?: infer Headers } }
  ? Exclude<Headers, undefined>
  : never;

/** What a call takes beside ids and body. */
interface CallOptions<Query, Headers> {
  query?: Query;
  headers?: Headers;
  signal?: AbortSignal;
}

type OptionsOf<Operation> = CallOptions<QueryOf<Operation>, HeadersOf<Operation>>;

type Call<R extends Route> = R extends readonly ["list", infer P extends ListPath]
  ? (
      ...args: [
        ...ids: Ids<P>,
        query?: QueryOf<paths[P]["get"]>,
        options?: { signal?: AbortSignal },
      ]
    ) => AsyncGenerator<RowOf<P>, void, undefined>
  : R extends readonly [infer M extends Method, infer P extends keyof paths, ...infer Body]
    ? (
        ...args: [
          ...ids: Ids<P>,
          ...body: Body extends ["body"] ? BodyOf<paths[P][M]> : [],
          options?: OptionsOf<paths[P][M]>,
        ]
      ) => Promise<P extends PathOf<paths, M> ? AnswerOf<paths, M, P> : never>
    : never;

type CallOf<R> = R extends Route ? Call<R> : never;

/**
 * A method for each name: ids in the path's order, then the body or the list's query, then options.
 */
export type Resources = {
  -readonly [Noun in keyof typeof RESOURCES]: {
    -readonly [Name in keyof (typeof RESOURCES)[Noun]]: CallOf<(typeof RESOURCES)[Noun][Name]>;
  };
};

type Untyped = (path: string, init: MaybeOptionalInit<object, never> | object) => unknown;

/** The methods of `RESOURCES`, by the verbs of the same client. */
export function createResources(verbs: Verbs<paths> & { list: List }): Resources {
  const nouns = Object.entries(RESOURCES).map(([noun, routes]) => [
    noun,
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [
        name,
        toCall(verbs, `${noun}.${name}`, route),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Resources; // each by its route: `Call` says the same in types
}

function toCall(verbs: Verbs<paths> & { list: List }, title: string, [method, path, body]: Route) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  // The route is one of the document's: `RESOURCES` holds no other.
  const send = verbs[method] as Untyped;
  return (...args: unknown[]) => {
    const ids = Object.fromEntries(
      names.map((name, place) => [name, requireId(args[place], name, title)]),
    );
    const [first, second] = args.slice(names.length);
    if (method === "list")
      return send(path, { ...(second as object | undefined), params: { path: ids, query: first } });
    const { query, headers, ...rest } = ((body ? second : first) ?? {}) as CallOptions<
      object,
      object
    >; // as `Call` says
    return send(path, {
      ...rest,
      params: { path: ids, query, header: headers },
      ...(body && first !== undefined && { body: first }),
    });
  };
}

/** An id that is empty would name another path: the list in place of its row. */
function requireId(id: unknown, name: string, title: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`${title} needs ${name}, a text that is not empty.`);
}
