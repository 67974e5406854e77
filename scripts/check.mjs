import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChecks, staticChecks } from "./checks/checks.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run check`: everything that can be told without a database or a browser. Of the unit tests those run that what has changed since the last green check can
 * have an effect on, and those that read the repository itself; all of them the first time, and with `--all`.
 */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const memory = join(root, ".cache/checked-commit");
  const since = process.argv.includes("--all") ? null : lastGreen(root, memory);
  /** @param {string} title @param {string[]} args */
  const unit = (title, args) => ({
    title,
    args: [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "unit", "--reporter=dot", ...args],
  });
  const tests = since
    ? [
        unit("Unit tests of what has changed (vitest)", ["--changed", since, "--passWithNoTests"]),
        unit("Tests of the repository (vitest)", ["scripts/checks"]),
      ]
    : [unit("Unit tests (vitest)", [])];
  const failed = await runChecks([...staticChecks(root), ...tests], { root });
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(", ")}.`);
  const head = git(root, "rev-parse", "HEAD");
  mkdirSync(join(root, ".cache"), { recursive: true });
  if (head) writeFileSync(memory, head);
  print("All checks passed.");
});

/** The commit of the last check that passed, when this clone still has it. @param {string} root @param {string} memory */
function lastGreen(root, memory) {
  try {
    return git(root, "rev-parse", "--verify", "--quiet", `${readFileSync(memory, "utf8").trim()}^{commit}`);
  } catch {
    return null; // never checked before
  }
}

/** What git says; null where it cannot. @param {string} root @param {string[]} args */
function git(root, ...args) {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() || null;
  } catch {
    return null;
  }
}
