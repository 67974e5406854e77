import "./setup/on-supported-node.mjs";

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runChecks, staticChecks } from "./checks/checks.mjs";
import { filesToTest, hashRepository, readTested, rememberTested } from "./checks/tested-files.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run check`: everything that can be told without a database or a browser, that is `npm run
 * lint`, `npm run typecheck` and unit tests. Of these those run that import what has changed since
 * they last ran here, those that failed then, and those that read the repository itself; all of
 * them the first time, and with `--all`.
 */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { values, positionals } = parseArgs({
    options: { all: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [part] = positionals;
  if (part !== undefined && part !== "lint" && part !== "typecheck")
    throw new SetupError(`There is no part ${part} of the checks: lint, typecheck.`);
  await prepare({ root, build: false });
  const failed =
    part === undefined
      ? await checkAll(root, values.all)
      : await runChecks(
          staticChecks(root).filter((check) => check.part === part),
          { root },
        );
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(", ")}.`);
  print("All checks passed.");
});

/**
 * @param {string} root
 * @param {boolean} isAll every unit test
 * @returns {Promise<string[]>} the titles of what failed
 */
async function checkAll(root, isAll) {
  const report = join(root, ".cache/vitest-check.json");
  rmSync(report, { force: true });
  const hashes = hashRepository(root);
  const files = isAll ? null : filesToTest(hashes, readTested(root));
  const failed = await runChecks([...staticChecks(root), ...unitTests(root, files, report)], {
    root,
  });
  if (files?.length === 0) rememberTested(root, hashes, { testResults: [] });
  else
    rememberTested(
      root,
      hashes,
      existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null,
    );
  return failed;
}

/**
 * @param {string} root
 * @param {string[] | null} files null: all
 * @param {string} report
 */
function unitTests(root, files, report) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const reported = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  if (files === null)
    return [
      { title: "Unit tests (vitest)", args: [vitest, "run", "--project", "unit*", ...reported] },
    ];
  const ofRepository = {
    title: "Tests of the repository (vitest)",
    args: [vitest, "run", "--project", "unit*", "--reporter=dot", "scripts/checks"],
  };
  if (files.length === 0) return [ofRepository];
  const ofChanges = {
    title: "Unit tests of what has changed (vitest)",
    args: [vitest, "related", "--run", "--project", "unit*", ...reported, ...files],
  };
  return [ofChanges, ofRepository];
}
