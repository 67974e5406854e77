import "../../scripts/setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepare } from "../../scripts/setup/prepare.mjs";
import { print, progress } from "../../scripts/setup/progress.mjs";
import { runScript } from "../../scripts/setup/run-script.mjs";
import { SetupError } from "../../scripts/setup/setup-error.mjs";
import { startService } from "../start-service.mjs";
import { CREATIONS, FORMS } from "./creations.mjs";
import { EDITED_AGENT, EDITS } from "./edits.mjs";
import { FILES } from "./files.mjs";
import { QUESTIONS } from "./questions.mjs";
import { halfOf, scoreCreation, scoreEdit, scoreQuestion, spread, tally } from "./score.mjs";

/**
 * `npm run task -- bench:quality`: 60 creations in prose, 12 by the form, 60 edits and
 * 60 questions about real files through the API, scored by checks. docs/quality.md says how to read
 * it.
 * @typedef {import("./score.mjs").Score} Score
 * @typedef {{ url: string, key: string, model: string | undefined }} Service
 */
const USAGE = `npm run task -- bench:quality [--half tune|held] [--only \
questions,creations,forms,edits] [--show] [--floors] [--trials N]
                       [--url ADDRESS --key ACCOUNT_KEY] [--model PROVIDER/NAME]
Without --url it starts a service of its own with the built-in model. --model is the one that \
agents and questions run on; what builds and edits agents is the
service's model for builds. --trials asks everything N times: a model may answer differently each \
time. --show prints each case that is not right. --floors ends with an error where the built-in \
model's scores are below docs/quality.md.`;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const AT_ONCE = 4;
const POLL_MS = 150;
const RUN_MAX_MS = 600_000;
/** The built-in model's, of all 192 cases: nothing dishonest is the first of them. */
const FLOORS = { questions: 52, creations: 17, forms: 9, edits: 19 };
const KINDS = {
  questions: askQuestions,
  creations: /** @type {typeof askQuestions} */ (
    (service, half) => makeAgents(service, halfOf(CREATIONS, half))
  ),
  forms: /** @type {typeof askQuestions} */ ((service) => makeAgents(service, FORMS)),
  edits: editAgents,
};

await runScript(async (shutdown) => {
  const options = readOptions(process.argv.slice(2));
  const service = options.url
    ? { url: options.url, key: options.key, model: options.model }
    : await ownService(options.model, shutdown);
  /** @type {Record<string, ReturnType<typeof tally>[]>} */
  const rows = {};
  for (const kind of options.only)
    for (let trial = 1; trial <= options.trials; trial += 1) {
      const scores = await KINDS[kind](service, options.half);
      const tallied = tally(scores.map(({ score }) => score));
      rows[kind] = [...(rows[kind] ?? []), tallied];
      print(`${kind}, trial ${trial}: ${JSON.stringify(tallied)}`);
      if (options.show)
        for (const { ask, score } of scores.filter(({ score }) => score.verdict !== "right"))
          print(
            `  ${score.verdict.toUpperCase()} ${ask}\n` +
              `    ${score.why.replace(/\s+/g, " ").slice(0, 500)}`,
          );
    }
  print(`\n${toTable(rows, options.model ?? "the service's own")}`);
  if (options.floors) for (const trial of trialsOf(rows)) requireFloors(trial);
  await shutdown.run();
  process.exit(0);
});

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      half: { type: "string" },
      only: { type: "string" },
      show: { type: "boolean", default: false },
      floors: { type: "boolean", default: false },
      url: { type: "string" },
      key: { type: "string", default: process.env.LATHE_KEY ?? "" },
      model: { type: "string" },
      trials: { type: "string", default: "1" },
      help: { type: "boolean" },
    },
  });
  if (values.help) throw new SetupError(USAGE);
  const { half } = values;
  if (half !== undefined && half !== "tune" && half !== "held")
    throw new SetupError(`--half takes tune or held.\n${USAGE}`);
  const only = (values.only ?? "questions,creations,forms,edits").split(",");
  const kinds = only.filter(
    (kind) => kind === "questions" || kind === "creations" || kind === "forms" || kind === "edits",
  );
  if (kinds.length < only.length) throw new SetupError(`There is no such kind of case.\n${USAGE}`);
  const trials = Number(values.trials);
  if (!Number.isInteger(trials) || trials < 1 || trials > 20)
    throw new SetupError(`--trials takes a number from 1 to 20.\n${USAGE}`);
  return { ...values, half: half ?? null, only: kinds, trials };
}

/**
 * @param {string | undefined} model
 * @param {import("../../scripts/setup/run-script.mjs").Shutdown} shutdown
 * @returns {Promise<Service>}
 */
async function ownService(model, shutdown) {
  await prepare({ root: ROOT });
  const { port, headers } = await progress("Starting the service", () =>
    startService({ root: ROOT, modelUrl: null }, shutdown),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    key: headers.authorization.slice("Bearer ".length),
    model,
  };
}

/**
 * @param {Service} service
 * @param {string} method @param {string} path @param {unknown} [body] @param {string} [type]
 * @returns {Promise<any>}
 */
async function call({ url, key }, method, path, body, type = "application/json") {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": type }),
  };
  const payload =
    body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, { method, headers, body: payload });
  const text = await answer.text();
  if (!answer.ok)
    throw new SetupError(`${method} ${path} answered ${answer.status}.`, text.slice(0, 500));
  return text === "" ? null : JSON.parse(text);
}

/** @param {Service} service @param {string} path */
async function ended(service, path) {
  for (const began = Date.now(); ; ) {
    const run = await call(service, "GET", path);
    if (!["pending", "queued", "running"].includes(run.status)) return run;
    if (Date.now() - began > RUN_MAX_MS) throw new SetupError(`${path} did not end.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * What a person reads of a run: its text, and what its build says it assumed, left out, needs and
 * asks. @param {any} run
 */
function answerOf(run) {
  const {
    assumptions = [],
    left_out: leftOut = [],
    needs = [],
    question,
  } = run.result?.build ?? {};
  const said = [
    ...assumptions,
    ...leftOut.map((/** @type {string} */ text) => `Left out: ${text}`),
    ...needs.map(
      (/** @type {{ kind: string, text: string }} */ { kind, text }) => `Needs a ${kind}: ${text}`,
    ),
    question,
  ];
  const text = [run.result?.text, run.error?.message, ...said].filter(Boolean).join("\n");
  return { status: run.status === "succeeded" ? "completed" : run.status, text };
}

/** @template T, R @param {readonly T[]} cases @param {(item: T) => Promise<R>} act */
async function each(cases, act) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const item = cases[at];
      if (item !== undefined) results[at] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** @param {Service} service @param {"tune" | "held" | null} half */
async function askQuestions(service, half) {
  /** @type {Record<string, string>} */
  const workspaces = {};
  for (const [path, text] of Object.entries(FILES)) {
    const { workspace_id: id } = await call(service, "POST", "/v1/workspaces", { name: path });
    await call(
      service,
      "POST",
      `/v1/workspaces/${id}/files?path=${encodeURIComponent(path)}`,
      text,
      "application/octet-stream",
    );
    workspaces[path] = id;
  }
  return each(halfOf(QUESTIONS, half), async (question) => {
    const { run_id: id } = await call(service, "POST", "/v1/runs", {
      input: { request: question.ask },
      workspace_id: workspaces[question.file],
      ...(service.model && { model: service.model }),
    });
    return {
      ask: `${question.file}: ${question.ask}`,
      score: scoreQuestion(question, answerOf(await ended(service, `/v1/runs/${id}`))),
    };
  });
}

/** @param {Service} service @param {import("./creations.mjs").Creation[]} creations */
async function makeAgents(service, creations) {
  return each(creations, async (creation) => {
    const { run_id: id } = await call(service, "POST", "/v1/agents", { input: creation.ask });
    const run = await ended(service, `/v1/runs/${id}`);
    const agent =
      run.agent_id === null ? null : await call(service, "GET", `/v1/agents/${run.agent_id}`);
    return { ask: creation.ask, score: scoreCreation(creation, agent, answerOf(run)) };
  });
}

/** @param {Service} service @param {"tune" | "held" | null} half */
async function editAgents(service, half) {
  return each(halfOf(EDITS, half), async (edit) => {
    const before = await call(
      service,
      "POST",
      "/v1/agents/import",
      EDITED_AGENT,
      "application/yaml",
    );
    const { run_id: id } = await call(service, "POST", `/v1/agents/${before.agent_id}/edits`, {
      input: edit.ask,
    });
    const answer = answerOf(await ended(service, `/v1/runs/${id}`));
    const after = await call(service, "GET", `/v1/agents/${before.agent_id}`);
    return { ask: edit.ask, score: scoreEdit(edit, before, after, answer) };
  });
}

/**
 * As docs/quality.md shows it: of several trials the middle, with the least and the most.
 * @param {Record<string, ReturnType<typeof tally>[]>} rows @param {string} model
 */
function toTable(rows, model) {
  const heads = ["model", "kind", "trials", "cases", "right", "refused", "wrong", "dishonest"];
  const lines = Object.entries(rows).map(([kind, tallies]) => {
    const { trials, cases, right, refused, wrong, dishonest } = spread(tallies);
    return [model, kind, trials, cases, right, refused, wrong, dishonest];
  });
  const table = [heads, heads.map(() => "---"), ...lines];
  return table.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Kind by kind for each trial. @param {Record<string, ReturnType<typeof tally>[]>} rows */
function trialsOf(rows) {
  const count = Math.max(...Object.values(rows).map(({ length }) => length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      Object.entries(rows).flatMap(([kind, tallies]) => {
        const tallied = tallies[at];
        return tallied ? [[kind, tallied]] : [];
      }),
    ),
  );
}

/** @param {Record<string, ReturnType<typeof tally>>} rows */
function requireFloors(rows) {
  const broken = Object.entries(rows).flatMap(([kind, { right, wrong, dishonest }]) => [
    ...(wrong + dishonest > 0 ? [`${kind}: ${wrong} wrong, ${dishonest} dishonest`] : []),
    ...(right < FLOORS[/** @type {keyof typeof FLOORS} */ (kind)]
      ? [`${kind}: ${right} right`]
      : []),
  ]);
  if (broken.length > 0)
    throw new SetupError("The built-in model does worse than it did.", broken.join("\n"));
}
