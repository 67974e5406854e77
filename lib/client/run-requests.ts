import type { Client } from "openapi-fetch";
import { dataOf } from "./data-of";
import { LatheConnectionError } from "./errors/lathe-connection-error";
import type { components, paths } from "./openapi-types";
import type { RunRequests } from "./runs";
import { startInit } from "./start-init";
import type { Transport } from "./transport";

type Api = Client<paths>;
type Schemas = components["schemas"];
type Lines = ReadableStream<Uint8Array>;

/** How an event stream is asked for: its bytes as they come. */
const STREAM = { headers: { Accept: "application/x-ndjson" }, parseAs: "stream" } as const;

export type AgentRunRequests = RunRequests<Schemas["CreateRunRequest"], Schemas["RealtimeRunRequest"]>;
export type SuperAgentRunRequests = RunRequests<Schemas["CreateSuperAgentRunRequest"], Schemas["SuperAgentRealtimeRunRequest"]>;

/** The requests of the account's runs: of agents, creations and edits. */
export function agentRunRequests(api: Api, { sendOnce }: Transport): AgentRunRequests {
  return {
    create: (body, options) => dataOf(api.POST("/v1/runs", { ...startInit(options), body })),
    get: (runId, signal) => dataOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    cancel: (runId, signal) => dataOf(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id: runId } }, signal })),
    stream: (body, signal) => linesOf(api.POST("/v1/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(api.GET("/v1/runs/{run_id}/events", { ...STREAM, params, signal, fetch: sendOnce }));
    },
  };
}

/** The same of the super-agent's runs. */
export function superAgentRunRequests(api: Api, { sendOnce }: Transport): SuperAgentRunRequests {
  return {
    create: (body, options) => dataOf(api.POST("/v1/super-agent/runs", { ...startInit(options), body })),
    get: (runId, signal) => dataOf(api.GET("/v1/super-agent/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    cancel: (runId, signal) => dataOf(api.POST("/v1/super-agent/runs/{run_id}/cancel", { params: { path: { run_id: runId } }, signal })),
    stream: (body, signal) => linesOf(api.POST("/v1/super-agent/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(api.GET("/v1/super-agent/runs/{run_id}/events", { ...STREAM, params, signal, fetch: sendOnce }));
    },
  };
}

async function linesOf(answering: Promise<{ data?: Lines | null; error?: unknown; response: Response }>): Promise<Lines> {
  const lines = await dataOf(answering);
  if (!lines) throw new LatheConnectionError("The answer is no stream.");
  return lines;
}
