/**
 * How each side is asked, for the client: how a run is started, where it is read, how far it is,
 * how it is streamed. `model` is a name of the model server's, as in `n100-i10`.
 */
const INPUT = { text: "hello" };

/**
 * @typedef {{ path: string, body: Record<string, unknown> }} Request
 *
 * @typedef {object} StreamCalls
 * @property {(model: string) => Request} stream
 * @property {(tail: string) => boolean} isWhole whether the end of a stream is its own end
 *
 * @typedef {object} RunCalls
 * @property {(model: string) => Request} start
 * @property {(run: Record<string, string>) => string} pathOf
 * @property {(run: Record<string, string>) => "done" | "failed" | "open"} stateOf
 */

/** @type {StreamCalls & RunCalls} */
const service = {
  start: (model) => ({ path: "/v1/runs", body: { model: `compatible/${model}`, input: INPUT } }),
  pathOf: (run) => `/v1/runs/${run.run_id}`,
  stateOf: ({ status }) =>
    status === "completed"
      ? "done"
      : status === "failed" || status === "cancelled"
        ? "failed"
        : "open",
  stream: (model) => ({
    path: "/v1/realtime/runs",
    body: { model: `compatible/${model}`, input: INPUT },
  }),
  isWhole: (tail) => tail.includes('"type":"run.completed"'),
};

/** @type {StreamCalls & RunCalls} */
const reference = {
  start: (model) => ({ path: "/runs", body: { model, input: INPUT } }),
  pathOf: (run) => `/runs/${run.id}`,
  stateOf: ({ status }) => (status === "completed" ? "done" : "open"),
  stream: (model) => ({ path: "/runs/stream", body: { model, input: INPUT } }),
  isWhole: (tail) => tail.includes('"type":"run.completed"'),
};

const messages = { input: { messages: [{ role: "user", content: INPUT.text }] } };

/** @type {StreamCalls & RunCalls} */
const langgraph = {
  start: (model) => ({
    path: "/runs",
    body: { assistant_id: graphName(model), ...messages, on_completion: "keep" },
  }),
  pathOf: (run) => `/threads/${run.thread_id}/runs/${run.run_id}`,
  stateOf: ({ status }) =>
    status === "success" ? "done" : status === "error" || status === "timeout" ? "failed" : "open",
  stream: (model) => ({
    path: "/runs/stream",
    body: { assistant_id: graphName(model), ...messages, stream_mode: ["messages-tuple"] },
  }),
  // It names no end; an error is an event of its own.
  isWhole: (tail) => !tail.includes("event: error"),
};

/** @type {StreamCalls & RunCalls} */
const dbos = reference;

/** @type {StreamCalls & RunCalls} */
const restate = {
  start: (model) => ({ path: "/agents/run/send", body: { model, input: INPUT } }),
  pathOf: (run) => `/restate/invocation/${run.invocationId}/output`,
  stateOf: reference.stateOf,
  // At the process behind its server: see peer-restate.mjs.
  stream: reference.stream,
  isWhole: reference.isWhole,
};

/**
 * The model server itself: what a stream is compared with.
 * @type {StreamCalls}
 */
const model = {
  stream: (name) => ({
    path: "/v1/chat/completions",
    body: { model: name, stream: true, messages: [{ role: "user", content: INPUT.text }] },
  }),
  isWhole: (tail) => tail.includes("[DONE]"),
};

export const CALLS = { service, reference, dbos, restate, langgraph, model };

/** @param {string} model */
export function graphName(model) {
  return model.replaceAll("-", "_");
}
