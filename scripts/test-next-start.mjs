import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { runScript } from "./setup/run-script.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * `npm run test:next-start [-- FILE …]`: the contract's tests with every service that they start
 * served by `next start` instead of `npm start`. No part of `npm test`.
 */
await runScript(async () => {
  await prepare({ root: ROOT });
  process.exitCode = await new Promise((resolve) => {
    const program = join(ROOT, "node_modules/@playwright/test/cli.js");
    const child = spawn(
      process.execPath,
      [program, "test", "--project=api", ...process.argv.slice(2)],
      {
        cwd: ROOT,
        env: { ...process.env, E2E_START: "next" },
        stdio: "inherit",
      },
    );
    child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1));
  });
});
