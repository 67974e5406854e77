import "./setup/on-supported-node.mjs";

import { accessSync, constants } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runProgram } from "./setup/run-tool.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Random faults of as many kinds, each in a world of its own. */
const CHAOS_SEEDS = "1,2,3";

/**
 * `npm run test:inngest [-- FILE …]`: what holds on the embedded executor holds with a real Inngest
 * server: the conformance suite of functions, the contract's tests, those of safety and those of
 * faults, with every service that they start in server mode, each with a server and a store of its
 * own. Files of these folders may be named. No part of `npm test`.
 */
await runScript(async () => {
  requireServer(process.env.INNGEST_SERVER);
  const files = process.argv.slice(2);
  const all = files.length === 0;
  const faults = files.filter((file) => file.includes("faults"));
  const others = files.filter((file) => !faults.includes(file));
  await prepare({ root: ROOT });
  if (all) {
    print("\nFunctions on the embedded executor and on an Inngest server");
    await run("vitest/vitest.mjs", ["run", "--project", "db", "lib/engine/conformance"]);
  }
  if (all || others.length > 0) {
    print("\nThe contract, and what an agent must not be brought to, with an Inngest server");
    await test(["--project=api", "--project=safety", ...others]);
  }
  if (all || faults.length > 0) {
    print("\nFaults with an Inngest server");
    await test(
      // Its own folder, or the traces of the part above would go.
      ["--project=faults", "--workers=1", "--output=test-results/faults", ...faults],
      { E2E_SERVER: "none", E2E_FAULTS: "1", FAULT_SEED: process.env.FAULT_SEED ?? CHAOS_SEEDS },
    );
  }
});

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function test(args, env = {}) {
  return run("@playwright/test/cli.js", ["test", "--reporter=list", ...args], {
    ...env,
    E2E_ENGINE: "inngest",
  });
}

/** @param {string | undefined} path */
function requireServer(path) {
  try {
    accessSync(path ?? "", constants.X_OK);
  } catch {
    throw new SetupError(
      "Set INNGEST_SERVER to the path of an Inngest server's program; docs/operations.md says " +
        "how to build one.",
    );
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function run(program, args, env = {}) {
  const code = await runProgram(program, args, { cwd: ROOT, env });
  if (code !== 0) process.exitCode = 1;
}
