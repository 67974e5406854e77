import { setTimeout as delay } from "node:timers/promises";
import { MODEL_NAME } from "./model-server.mjs";

/**
 * What is done with the service on a real model, and what must hold of it whatever the model says.
 * @typedef {{ port: number, headers: { authorization: string } }} Service
 * @typedef {{ service: Service, model: { killAndRestart(): Promise<void> }, turn: number }} Stage
 * @typedef {{ state: string, faults: string[] }} Outcome
 */

const MODEL = `compatible/${MODEL_NAME}`;
/** Longer than any of these runs takes on a slow machine; an endless loop takes longer. */
const RUN_MAX_MS = 300_000;
const CANCEL_MAX_MS = 15_000;
/** What a run may fail of where its model is too small for its task, or is gone. */
const HONEST = [
  ...["OUTPUT_TRUNCATED", "EMPTY_ANSWER", "MODEL_CANNOT_ANSWER", "STEP_LIMIT_EXCEEDED"],
  ...["AGENT_BUILD_FAILED", "MODEL_UNAVAILABLE", "TIMEOUT"],
];
const SPEAKS_OR_ENDS = ["output_text.delta", "run.completed", "run.failed"];
const CITY = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"],
  additionalProperties: false,
};

/** @type {Record<string, (stage: Stage) => Promise<Outcome>>} */
export const SCENARIOS = {
  async chat({ service, turn }) {
    const agentId = await agent(service, "Answer in one short sentence.");
    const lines = await stream(service, agentId, `Name ${(turn % 5) + 1} colours.`);
    const first = lines[0] ?? {};
    const { state, faults } = await judged(service, first.run_id, lines);
    const follow = await call(service, "POST", "/v1/runs", {
      agent_id: agentId,
      conversation_id: first.conversation_id,
      input: { request: "And which of them do you like?" },
    });
    const next = await judged(service, follow.run_id);
    return { state: `${state}+${next.state}`, faults: [...faults, ...next.faults] };
  },

  async tools({ service }) {
    const agentId = await agent(
      service,
      "1. Compute with run_javascript.\n2. Answer with the figure.",
      { tools: { builtin: ["run_javascript", "todo"] }, limits: { max_steps: 4 } },
    );
    const lines = await stream(service, agentId, "What is 17 times 23? Use the tool.");
    return judged(service, lines[0]?.run_id, lines);
  },

  async structured({ service, turn }) {
    const agentId = await agent(service, "Extract the fields of the message.", {
      output_schema: CITY,
    });
    const request = turn % 2 === 0 ? "Bern has 134,000 people." : "Hello there.";
    const lines = await stream(service, agentId, request);
    const judgement = await judged(service, lines[0]?.run_id, lines);
    const { result } = await call(service, "GET", `/v1/runs/${lines[0]?.run_id}`);
    const data = result?.data;
    const fits = typeof data?.city === "string" && Number.isInteger(data?.people);
    if (judgement.state === "completed" && !fits)
      judgement.faults.push(`it completed with ${JSON.stringify(data)}`);
    const shown = JSON.stringify(lines);
    if (shown.includes('\\"missing\\"')) judgement.faults.push("its envelope was shown");
    return judgement;
  },

  async cancel({ service }) {
    const agentId = await agent(service, "Write as much as you can.");
    const abort = new AbortController();
    const { runId } = await firstWords(service, agentId, abort.signal);
    const began = Date.now();
    await call(service, "POST", `/v1/runs/${runId}/cancel`);
    const run = await ended(service, runId);
    abort.abort();
    const faults = faultsOf(run);
    if (!["cancelled", "completed"].includes(run.status)) faults.push(`it ended ${run.status}`);
    if (Date.now() - began > CANCEL_MAX_MS) faults.push("its cancelling took too long");
    return { state: run.status, faults };
  },

  async creation({ service }) {
    const { run_id: id } = await call(service, "POST", "/v1/agents", {
      input: "An agent that answers customers politely in two sentences.",
    });
    return judged(service, id);
  },

  async killed({ service, model }) {
    const agentId = await agent(service, "Write as much as you can.");
    const abort = new AbortController();
    const { runId } = await firstWords(service, agentId, abort.signal);
    await model.killAndRestart();
    const judgement = await judged(service, runId);
    abort.abort();
    return judgement;
  },
};

/** @param {Service} service @param {string} skill @param {object} [config] */
async function agent(service, skill, config = {}) {
  const document = {
    ...{ kind: "agent", format: 1, name: "Tried", description: "Tried.", skill_content: skill },
    write_autonomy: "approval_required",
    config: { version: 1, model: MODEL, tools: { builtin: [] }, ...config },
  };
  const type = "application/yaml";
  const body = JSON.stringify(document); // YAML too
  return (await call(service, "POST", "/v1/agents/import", body, type)).agent_id;
}

/**
 * @param {Service} service @param {string} method @param {string} path
 * @param {unknown} [body] @param {string} [type]
 * @returns {Promise<any>}
 */
async function call({ port, headers }, method, path, body, type = "application/json") {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text === "" ? null : JSON.parse(text);
}

/**
 * @param {Service} service @param {string} agentId @param {string} request
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any>}
 */
async function* events({ port, headers }, agentId, request, signal) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/realtime/runs`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: agentId, input: { request } }),
    ...(signal && { signal }),
  });
  if (!answer.ok || !answer.body) throw new Error(`A stream answered ${answer.status}.`);
  let rest = "";
  const decoder = new TextDecoder();
  // Node.js iterates it, which the types of the web do not say.
  const body = /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (answer.body));
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
}

/** @param {Service} service @param {string} agentId @param {string} request */
async function stream(service, agentId, request) {
  /** @type {any[]} */
  const lines = [];
  for await (const line of events(service, agentId, request)) lines.push(line);
  return lines;
}

/**
 * A run that is heard until its model speaks.
 * @param {Service} service @param {string} agentId @param {AbortSignal} signal
 * @returns {Promise<{ runId: string }>}
 */
async function firstWords(service, agentId, signal) {
  let runId = "";
  const request = "Write a story of a lighthouse, with every detail.";
  for await (const line of events(service, agentId, request, signal)) {
    runId ||= line.run_id;
    if (SPEAKS_OR_ENDS.includes(line.type)) break;
  }
  return { runId };
}

/** @param {Service} service @param {string} id */
async function ended(service, id) {
  for (const began = Date.now(); ; await delay(200)) {
    const run = await call(service, "GET", `/v1/runs/${id}`);
    if (!["pending", "queued", "running"].includes(run.status)) return run;
    if (Date.now() - began > RUN_MAX_MS) throw new Error(`the run ${id} comes to no end`);
  }
}

/**
 * What must hold of a run, and of its stream where there is one.
 * @param {Service} service @param {string} id @param {any[] | null} [lines]
 * @returns {Promise<Outcome>}
 */
async function judged(service, id, lines = null) {
  const run = await ended(service, id);
  const faults = [...faultsOf(run), ...(lines ? faultsOfStream(run, lines) : [])];
  return { state: run.status === "failed" ? run.error.code : run.status, faults };
}

/** @param {any} run */
function faultsOf({ status, result, error, usage }) {
  const faults = [];
  if (status === "failed" && !HONEST.includes(error?.code))
    faults.push(`it failed with ${error?.code}: ${error?.message}`);
  if (status === "completed" && !result?.text?.trim()) faults.push("it completed without a word");
  const sum = usage.breakdown.reduce(
    (/** @type {number} */ total, /** @type {{ credits: number }} */ row) => total + row.credits,
    0,
  );
  if (Math.abs(sum - usage.credits) > 1e-6)
    faults.push(`its rows add up to ${sum}, not ${usage.credits}`);
  return faults;
}

/** @param {any} run @param {any[]} lines */
function faultsOfStream({ status, result }, lines) {
  const faults = [];
  const numbered = lines.filter(({ type }) => type !== "ping");
  if (numbered.some(({ sequence_number: number }, index) => number !== index))
    faults.push("its lines are not numbered whole");
  const ends = lines.filter(({ type }) => type === "run.completed" || type === "run.failed");
  if (ends.length !== 1 || ends[0] !== lines.at(-1)) faults.push("it has no one last line");
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const { type, message_id: id, replaces, delta = "" } of lines) {
    if (replaces) texts.delete(replaces);
    if (type === "message.created" || type === "output_text.delta")
      texts.set(id, (texts.get(id) ?? "") + delta);
  }
  const shown = [...texts.values()].at(-1) ?? "";
  if (status === "completed" && shown !== result.text)
    faults.push(`who followed read ${JSON.stringify(shown.slice(0, 100))}`);
  return faults;
}
