import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepare } from "./setup/prepare.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runProgram } from "./setup/run-tool.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE =
  "npm run test:faults -- [--short] [--chaos] [--runs N] [--minutes N] [--seed N] [FILE or WORDS " +
  "…]";

/**
 * `npm run test:faults`: what the service stands when processes, the database and the ways between
 * them break (docs/faults.md). `--short`: the part that `npm test` runs too. `--chaos`: only the
 * random faults; `--runs`, `--minutes` and `--seed` (several with commas) say how many, how long
 * and which.
 */
await runScript(async () => {
  const { values, positionals } = readArguments();
  const settings = {
    FAULT_RUNS: values.runs,
    FAULT_MINUTES: values.minutes,
    FAULT_SEED: values.seed,
  };
  await prepare({ root: ROOT });
  const files = values.chaos ? ["e2e/faults/chaos.spec.ts"] : positionals;
  const args = [
    "test",
    "--project=faults",
    "--workers=1",
    "--reporter=list",
    ...(values.short ? ["--grep=@short"] : []),
    ...files,
  ];
  const given = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  );
  process.exitCode = await runProgram("@playwright/test/cli.js", args, {
    cwd: ROOT,
    env: { ...given, E2E_SERVER: "none", E2E_FAULTS: "1" },
  });
});

function readArguments() {
  const number = /** @type {const} */ ({ type: "string" });
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        short: { type: "boolean" },
        chaos: { type: "boolean" },
        runs: number,
        minutes: number,
        seed: number,
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error} It is: ${USAGE}`);
  }
}
