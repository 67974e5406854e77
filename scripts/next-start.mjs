import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase, readEnvironmentFile } from "./setup/open-database.mjs";
import { prepare } from "./setup/prepare.mjs";
import { runScript } from "./setup/run-script.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * As `npm start`: Next's own five seconds end before those of most proxies and clients, which then
 * send on a connection that is closing.
 */
const KEEP_ALIVE = ["--keepAliveTimeout", "65000"];

/** For tests: what `npm start` sets up, served by `next start` as a process of its own. */
await runScript(async (shutdown) => {
  readEnvironmentFile(ROOT);
  await prepare({ root: ROOT });
  const database = await openDatabase(ROOT);
  shutdown.add(() => database.stop());
  const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
  const child = spawn(
    process.execPath,
    [join(ROOT, "node_modules/next/dist/bin/next"), "start", "-p", PORT, "-H", HOST, ...KEEP_ALIVE],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: "inherit",
    },
  );
  const exited = new Promise((resolve) => child.once("exit", resolve));
  shutdown.add(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const code = await exited;
  await shutdown.run();
  process.exit(code ?? 1);
});
