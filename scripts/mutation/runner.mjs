import { readFileSync } from "node:fs";
import pg from "pg";
import { createVitest } from "vitest/node";

// A process with one vitest that stays: transformed modules and the tests' PostgreSQL are used
// again for each fault. It is asked over its parent's channel:
// { changed: string, files: string[] } is answered with { failed: string[] }, the names of the
// tests that failed; or with { refused: string }, where PostgreSQL does not take a function.

/** @typedef {{ changed: string, files: string[] }} Question */

const vitest = await createVitest("test", {
  root: process.cwd(),
  config: "vitest.record.config.ts",
  watch: false,
  bail: 1,
  reporters: [{}],
  silent: true,
  maxWorkers: 2,
  testTimeout: 90_000,
  hookTimeout: 90_000,
});
process.on("message", (/** @type {Question} */ question) => void answer(question));
process.once("SIGTERM", () => void vitest.close().finally(() => process.exit(0)));
process.once("disconnect", () => void vitest.close().finally(() => process.exit(0)));
process.send?.({ ready: true });

let last = "";

/** @param {Question} question */
async function answer({ changed, files }) {
  // The one before stands there whole again.
  vitest.invalidateFile(last);
  vitest.invalidateFile(changed);
  const functions = [...new Set([last, changed])].filter((file) => file.endsWith(".sql"));
  last = changed;
  const specifications = (
    await Promise.all(files.map((file) => vitest.globTestSpecifications([file])))
  ).flat();
  if (functions.length > 0) {
    // There is no database before tests on it have run.
    if (process.env.TEST_DATABASE_URL === undefined) await run(specifications.slice(0, 1));
    try {
      for (const file of functions) await define(file);
    } catch (error) {
      return process.send?.({ refused: String(error) });
    }
  }
  const { testModules, unhandledErrors } = await run(specifications);
  const failed = testModules
    .filter((module) => module.state() === "failed")
    .map((module) => firstFault(module));
  process.send?.({
    failed: [...failed, ...unhandledErrors.map(String)],
    count: specifications.length,
  });
}

/** @param {import("vitest/node").TestSpecification[]} specifications */
function run(specifications) {
  // What failed before would end this run at once, and be told again.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.clearErrors();
  return vitest.runTestSpecifications(specifications, false);
}

/**
 * Has the function of a file stand in the database that tests clone, as the file says it now.
 * @param {string} file
 */
async function define(file) {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await client.query(readFileSync(file, "utf8"));
  } finally {
    await client.end();
  }
}

/** @param {import("vitest/node").TestModule} module @returns {string} */
function firstFault(module) {
  for (const test of module.children.allTests("failed")) {
    const why = (test.result().errors ?? []).map(({ message }) => message.slice(0, 200)).join("; ");
    return `${module.relativeModuleId}: ${test.fullName}: ${why}`;
  }
  return `${module.relativeModuleId}: ${module.errors()[0]?.message ?? "a hook failed"}`;
}
