import "./setup/on-supported-node.mjs";

import { accessSync, constants } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runProgram } from "./setup/run-tool.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * `npm run test:inngest [-- FILE …]`: what holds on the embedded executor holds with a real Inngest
 * server: the conformance suite of functions, and the contract's tests with every service that they
 * start in server mode, each with a server and a store of its own. Files of e2e/api may be named.
 * No part of `npm test`.
 */
await runScript(async () => {
  requireServer(process.env.INNGEST_SERVER);
  const files = process.argv.slice(2);
  await prepare({ root: ROOT });
  if (files.length === 0) {
    print("\nFunctions on the embedded executor and on an Inngest server");
    await run("vitest/vitest.mjs", ["run", "--project", "db", "lib/engine/conformance"]);
  }
  print("\nThe contract with an Inngest server");
  await run("@playwright/test/cli.js", ["test", "--project=api", ...files], {
    E2E_ENGINE: "inngest",
  });
});

/** @param {string | undefined} path */
function requireServer(path) {
  try {
    accessSync(path ?? "", constants.X_OK);
  } catch {
    throw new SetupError(
      "Set INNGEST_SERVER to the path of an Inngest server's program; docs/operations.md says how to build one.",
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
