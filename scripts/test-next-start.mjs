import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runProgram } from "./setup/run-tool.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * `npm run test:next-start [-- FILE …]`: the contract's tests with every service that they start
 * served by `next start` instead of `npm start`. No part of `npm test`.
 */
await runScript(async () => {
  await prepare({ root: ROOT });
  const args = ["test", "--project=api", ...process.argv.slice(2)];
  process.exitCode = await runProgram("@playwright/test/cli.js", args, {
    cwd: ROOT,
    env: { E2E_START: "next" },
  });
});
