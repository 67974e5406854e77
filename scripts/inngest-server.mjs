import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./setup/free-port.mjs";

/**
 * For tests: the Inngest server whose binary INNGEST_SERVER names, on free ports of this machine,
 * with keys and a store of its own. Prints one line of JSON, `{url, port, eventKey, signingKey,
 * store}`, when it answers, `store` the folder of its database; ends, and removes that, when its
 * standard input ends. Further arguments are handed on to the server.
 */
const START_MS = 60_000;
const END_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), "lathe-inngest-"));
const [port, gateway, gatewayRpc, executorRpc] = await Promise.all([
  freePort(),
  freePort(),
  freePort(),
  freePort(),
]);
const eventKey = randomBytes(8).toString("hex");
const signingKey = randomBytes(32).toString("hex");
const output = process.env.INNGEST_SERVER_LOG ? 2 : "ignore";
const child = spawn(
  process.env.INNGEST_SERVER ?? "inngest",
  [
    "start",
    ...["--host", "127.0.0.1", "--port", String(port), "--no-ui", "--sqlite-dir", folder],
    ...["--event-key", eventKey, "--signing-key", signingKey],
    // Its gateway for apps that connect to it, which ours does not.
    ...[
      "--connect-gateway-port",
      String(gateway),
      "--connect-gateway-grpc-port",
      String(gatewayRpc),
    ],
    ...["--connect-executor-grpc-port", String(executorRpc)],
    ...process.argv.slice(2),
  ],
  {
    // What it says is of use only to whoever looks for a fault.
    stdio: ["ignore", output, output],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LOG_LEVEL: process.env.INNGEST_SERVER_LOG || "error",
      DO_NOT_TRACK: "1",
      INNGEST_NO_UPDATE_NOTIFIER: "1",
    },
  },
);
let hasEnded = false;
/** @type {Promise<void>} */
const ended = new Promise((resolve) => {
  child.once("error", (error) => end(`The Inngest server cannot be started: ${error.message}`));
  child.once("exit", (code, signal) => {
    hasEnded = true;
    resolve();
    if (process.exitCode === undefined)
      end(`The Inngest server ended (${signal ?? `code ${code}`}).`);
  });
});

process.stdin.resume().once("end", () => void end(null));
process.once("SIGTERM", () => void end(null));

const late = Date.now() + START_MS;
while (!hasEnded && !(await answers())) {
  if (Date.now() > late)
    await end(`The Inngest server did not answer within ${START_MS / 1000} s.`);
  await delay(100);
}
process.stdout.write(
  JSON.stringify({ url: `http://127.0.0.1:${port}`, port, eventKey, signingKey, store: folder }) +
    "\n",
);

async function answers() {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    (response) => response.ok,
    () => false,
  );
}

/** @param {string | null} why */
async function end(why) {
  if (process.exitCode !== undefined) return;
  process.exitCode = why === null ? 0 : 1;
  if (why !== null) console.error(why);
  if (!hasEnded) {
    child.kill("SIGTERM");
    await Promise.race([ended, delay(END_MS)]);
    child.kill("SIGKILL");
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
