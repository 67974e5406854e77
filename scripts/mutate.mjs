import "./setup/on-supported-node.mjs";

import { fork } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { repositoryFiles } from "./checks/repository-files.mjs";
import { Compiler } from "./mutation/compiler.mjs";
import { ExecutedBlocks } from "./mutation/executed-blocks.mjs";
import { instrumented } from "./mutation/instrument.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";
import { ImportGraph } from "./mutation/nearest-tests.mjs";
import { callersOf } from "./mutation/sql-callers.mjs";
import { mutantsOfFunction } from "./mutation/sql-mutants.mjs";

// `npm run test:mutation -- --seed 1 --count 60 [--only lib/domain/credits or
// lib/domain/files/save-file.ts:71:] [--list]`: plants faults in lib/domain, lib/api and the
// functions of the database, one at a time and in a copy of the project, and says which of them no
// nearby test notices. docs/testing.md has the newest score.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MUTATED = /^lib\/(domain|api)\/(?!.*(\btest\/|\.test\.ts$|openapi\/|example)).*\.ts$/;
/** Functions of the database; those of the release before go with the next one. */
const FUNCTION = /^prisma\/functions\/(\w+)\.sql$/;
/** It would notice any change of a function, whatever it does. */
const OF_SOURCE = "lib/storage/sql-source.db.test.ts";
/** The nearest tests run first; those after them only when none of the first fails. */
const ROUNDS = [2, 3, 5, 6];
/** Whatever of an operation is declared, they see. */
const OF_DOCUMENT = /^lib\/api\/openapi\/(openapi-types|documented-limits)\.test\.ts$/;
const FAULT_WITHIN_MS = 300_000;
/** What a test says that did not end. */
const TIMED_OUT = /timed out in \d+ ?ms/i;
/** Tests that fail in the copy as it is: they say nothing about any fault. @type {Set<string>} */
const unsound = new Set();
/** Each line is what one test file has executed. */
const RECORD = "executed.jsonl";
const RECORD_CONFIG = `
import config from "./vitest.config.ts";
for (const project of config.test?.projects ?? [])
  if (typeof project === "object" && "test" in project && project.test)
    Object.assign(project.test, {
      setupFiles: ["./scripts/mutation/record-setup.mjs"],
      isolate: true,
    });
export default config;
`;

/** @typedef {import("./mutation/mutants.mjs").Mutant} Mutant */
/**
 * @typedef {{ is: "noticed" | "survived" | "undecided", by: string }} Outcome `by`: the first test
 * that failed
 */

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    only: { type: "string", default: "" },
    list: { type: "boolean", default: false },
  },
});

const files = repositoryFiles(ROOT);
const sources = files.filter(
  (file) =>
    (MUTATED.test(file) || FUNCTION.test(file)) &&
    (file.startsWith(options.only) || options.only.startsWith(`${file}:`)),
);
const mutants = sources
  .flatMap((file) =>
    (FUNCTION.test(file) ? mutantsOfFunction : mutantsOf)(
      file,
      readFileSync(path.join(ROOT, file), "utf8"),
    ),
  )
  .filter(
    ({ file, line }) =>
      `${file}:${line}:`.startsWith(options.only) || file.startsWith(options.only),
  );
const modules = files.filter((file) => /^(lib|app|components)\/.*\.tsx?$/.test(file));
const graph = new ImportGraph(ROOT, modules);
const texts = new Map(sources.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")]));
const chosen = chosenOf(shuffled(mutants, Number(options.seed)), Number(options.count));
console.log(
  `${mutants.length} faults can be planted in ${sources.length} files; ${chosen.length} are, by ` +
    `seed ${options.seed}.`,
);
if (options.list) for (const mutant of chosen) console.log(label(mutant));
else process.exitCode = (await run(chosen)) ? 0 : 1;

/**
 * The first of them that compile. @param {Mutant[]} candidates @param {number} count @returns
 * {Mutant[]}
 */
function chosenOf(candidates, count) {
  const compiler = new Compiler(ROOT);
  /** @type {Mutant[]} */
  const accepted = [];
  let refused = 0;
  for (const mutant of candidates) {
    if (accepted.length >= count) break;
    if (FUNCTION.test(mutant.file) || compiler.accepts(mutant)) accepted.push(mutant);
    else refused += 1;
  }
  console.log(
    `The compiler refuses ${refused} of the first ${accepted.length + refused}: they are not ` +
      "counted.",
  );
  return accepted;
}

/** @param {Mutant[]} chosen @returns {Promise<boolean>} whether every fault was noticed */
async function run(chosen) {
  const copy = mkdtempSync(path.join(tmpdir(), "lathe-mutation-"));
  /** @type {Record<Outcome["is"], Mutant[]>} */
  const found = { noticed: [], survived: [], undecided: [] };
  /** @type {import("node:child_process").ChildProcess | null} */
  let runner = null;
  // Its PostgreSQL and the copy go with it.
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, async () => {
      if (runner) await stop(runner);
      rmSync(copy, { recursive: true, force: true });
      process.exit(130);
    });
  try {
    copyProject(copy);
    const executed = new ExecutedBlocks(ROOT, modules);
    for (const [index, mutant] of chosen.entries()) {
      runner ??= await startRunner(copy);
      const began = Date.now();
      const outcome = await outcomeOf(runner, copy, mutant, executed);
      if (outcome.is === "undecided" || hasEnded(runner)) {
        await stop(runner);
        runner = null;
      }
      found[outcome.is].push(mutant);
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `${index + 1}/${chosen.length} ${outcome.is} ${seconds} s  ` +
          `${label(mutant)}${outcome.by ? `\n    ${outcome.by}` : ""}`,
      );
    }
  } finally {
    if (runner) await stop(runner);
    rmSync(copy, { recursive: true, force: true });
  }
  const decided = found.noticed.length + found.survived.length;
  const percent = Math.round((100 * found.noticed.length) / Math.max(1, decided));
  console.log(
    `\nSeed ${options.seed}: ${found.noticed.length} of ${decided} faults noticed, ${percent} %; ` +
      `${found.undecided.length} undecided.`,
  );
  for (const mutant of found.survived) console.log(`survived: ${label(mutant)}`);
  for (const mutant of found.undecided) console.log(`undecided: ${label(mutant)}`);
  return found.survived.length === 0;
}

/**
 * Those that load the file, the near and quick ones first; before the others those that were seen
 * calling something of it, and those of the document.
 * @param {Mutant} mutant @param {ExecutedBlocks} executed @returns {string[]}
 */
function testsOf({ file }, executed) {
  if (FUNCTION.test(file)) return testsOfFunction(file);
  const rank = (/** @type {string} */ test, /** @type {number} */ index) => {
    const isOfDocument = file.startsWith("lib/api/") && OF_DOCUMENT.test(test);
    const ahead = (executed.wasSeenIn(test, file) ? 10 : 0) + (isOfDocument ? index - 3 : 0);
    return index + executed.millisecondsOf(test) / 2_000 - ahead;
  };
  return graph
    .testsOf(file)
    .map((test, index) => ({ test, rank: rank(test, index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ test }) => test);
}

/**
 * Those on PostgreSQL that load whoever sets the function to work, and before them those that call
 * it themselves.
 * @param {string} file @returns {string[]}
 */
function testsOfFunction(file) {
  const read = (/** @type {string} */ each) => readFileSync(path.join(ROOT, each), "utf8");
  const nameOf = (/** @type {string} */ each) => FUNCTION.exec(each)?.[1] ?? "";
  const functions = new Map(
    files.filter((each) => FUNCTION.test(each)).map((each) => [nameOf(each), read(each)]),
  );
  const callers = callersOf(
    nameOf(file),
    functions,
    new Map(
      modules
        .filter((each) => !/\.test\.|sql-functions\.ts$/.test(each))
        .map((each) => [each, read(each)]),
    ),
    read("prisma/schema.sql"),
  );
  /** @type {Map<string, number>} */
  const ranks = new Map();
  for (const caller of callers)
    for (const [index, test] of graph
      .testsOf(caller)
      .filter((each) => each.endsWith(".db.test.ts") && each !== OF_SOURCE)
      .entries())
      ranks.set(test, Math.min(index, ranks.get(test) ?? index));
  const called = new RegExp(`"${nameOf(file)}"`);
  for (const test of modules.filter((each) => each.endsWith(".db.test.ts")))
    if (test !== OF_SOURCE && called.test(read(test))) ranks.set(test, -1);
  return [...ranks].sort(([, a], [, b]) => a - b).map(([test]) => test);
}

/**
 * What git knows of, and what is generated; packages are only linked. The sources are marked, so
 * that each test says what it executes. @param {string} copy
 */
function copyProject(copy) {
  for (const file of files.filter((each) => !/^(docs|e2e\/(?!support\/))/.test(each))) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(copy, file));
    if (MUTATED.test(file))
      writeFileSync(
        path.join(copy, file),
        instrumented(file, readFileSync(path.join(copy, file), "utf8")),
      );
  }
  cpSync(path.join(ROOT, "lib/storage/generated"), path.join(copy, "lib/storage/generated"), {
    recursive: true,
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  writeFileSync(path.join(copy, "vitest.record.config.ts"), RECORD_CONFIG);
}

/**
 * Runs the nearest tests that execute the place with the fault planted. Where they do not end in
 * time, nobody can tell a fault that hangs from a machine that is busy.
 * @param {import("node:child_process").ChildProcess} runner @param {string} copy @param {Mutant}
 * mutant @param {ExecutedBlocks} executed
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(runner, copy, mutant, executed) {
  const place = path.join(copy, mutant.file);
  const whole = readFileSync(place, "utf8");
  const text = texts.get(mutant.file) ?? "";
  const isFunction = FUNCTION.test(mutant.file);
  const planted = isFunction
    ? text.slice(0, mutant.start) + mutant.after + text.slice(mutant.end)
    : instrumented(mutant.file, text, mutant);
  writeFileSync(place, planted);
  try {
    const tests = testsOf(mutant, executed);
    const mayExecute = isFunction ? () => true : executed.executorsOf(mutant.file, mutant.start);
    for (const size of ROUNDS) {
      /** @type {string[]} */
      const round = [];
      while (round.length < size && tests.length > 0)
        round.push(...tests.splice(0, 1).filter((test) => mayExecute(test) && !unsound.has(test)));
      if (round.length === 0) break;
      const failed = await ask(runner, {
        changed: place,
        files: round.map((test) => path.join(copy, test)),
      });
      if (failed === null || failed.some((each) => TIMED_OUT.test(each)))
        return { is: "undecided", by: failed?.[0] ?? "" };
      learn(copy, executed, failed.length === 0);
      const [by] = failed;
      if (by === undefined) continue;
      const test = by.split(": ")[0] ?? "";
      if (executed.hasPassed(test)) return { is: "noticed", by };
      // It was never seen to pass here. Without the fault it must.
      writeFileSync(place, whole);
      const anyway = await ask(runner, { changed: place, files: [path.join(copy, test)] });
      if (anyway?.length === 0) {
        learn(copy, executed, true);
        return { is: "noticed", by };
      }
      console.log(`left out from now on, as it fails without a fault, too: ${anyway?.[0] ?? by}`);
      unsound.add(test);
      writeFileSync(place, planted);
      tests.unshift(...round.filter((each) => each !== test));
    }
    return { is: "survived", by: "" };
  } finally {
    writeFileSync(place, whole);
    rmSync(path.join(copy, RECORD), { force: true });
  }
}

/**
 * What a round has executed, of which nothing is to be believed where one of its tests failed.
 * @param {string} copy @param {ExecutedBlocks} executed @param {boolean} havePassed
 */
function learn(copy, executed, havePassed) {
  const place = path.join(copy, RECORD);
  if (!existsSync(place)) return;
  if (!havePassed) return rmSync(place);
  for (const text of readFileSync(place, "utf8").trim().split("\n").filter(Boolean)) {
    const line = /** @type {{ test: string, ms: number, executed: string[] }} */ (JSON.parse(text));
    executed.add(path.relative(copy, line.test), line.ms, line.executed);
  }
  rmSync(place);
  executed.save();
}

/**
 * @param {import("node:child_process").ChildProcess} runner @param {{ changed: string, files:
 * string[] }} question
 * @returns {Promise<string[] | null>} the tests that failed; null when it took too long, or ended
 * the process
 */
function ask(runner, question) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => finish(null), FAULT_WITHIN_MS);
    /** @param {string[] | null} failed */
    const finish = (failed) => {
      clearTimeout(late);
      runner.off("message", answered);
      runner.off("exit", ended);
      resolve(failed);
    };
    /** @param {unknown} message */
    const answered = (message) => {
      const { failed, count, refused } =
        /** @type {{ failed: string[], count: number, refused?: string }} */ (message);
      if (refused !== undefined) finish(null);
      else if (count === 0) reject(new Error(`No test was run of ${question.files.join(", ")}.`));
      else finish(failed);
    };
    // A fault can end the process itself; another one goes on with the next.
    const ended = () => finish(null);
    runner.on("message", answered);
    runner.on("exit", ended);
    if (hasEnded(runner)) finish(null);
    else runner.send(question);
  });
}

/** @param {string} copy @returns {Promise<import("node:child_process").ChildProcess>} */
async function startRunner(copy) {
  const program = fileURLToPath(new URL("mutation/runner.mjs", import.meta.url));
  const runner = fork(program, [], {
    cwd: copy,
    env: { ...process.env, MUTATION_RECORD: path.join(copy, RECORD) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // A group of its own: a fault that loops for ever does so below this process, and would outlive
    // it.
    detached: true,
  });
  await new Promise((resolve, reject) => {
    runner.once("message", resolve);
    runner.once("exit", () => reject(new Error("vitest did not start.")));
  });
  runner.removeAllListeners("exit");
  runner.on("exit", (code, signal) =>
    console.log(`the process that runs the tests has ended with ${code ?? signal}`),
  );
  return runner;
}

/** @param {import("node:child_process").ChildProcess} runner @returns {Promise<void>} */
async function stop(runner) {
  if (!hasEnded(runner)) {
    runner.removeAllListeners("exit");
    const exited = new Promise((resolve) => runner.once("exit", resolve));
    runner.kill("SIGTERM");
    const late = setTimeout(() => runner.kill("SIGKILL"), 20_000);
    await exited;
    clearTimeout(late);
  }
  killGroup(runner);
}

/**
 * What is left of a runner's processes. @param {import("node:child_process").ChildProcess} runner
 */
function killGroup({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // They have all ended.
  }
}

/** @param {import("node:child_process").ChildProcess} runner */
function hasEnded(runner) {
  return runner.exitCode !== null || runner.signalCode !== null;
}

/** @param {Mutant} mutant @returns {string} */
function label({ file, line, kind, before, after }) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, " ").slice(0, 110);
  return `${file}:${line} ${kind}: ${short(before)} → ${short(after)}`;
}

/**
 * The same order for the same seed (mulberry32). @template T @param {T[]} items @param {number}
 * seed @returns {T[]}
 */
function shuffled(items, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
