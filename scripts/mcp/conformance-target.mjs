import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../setup/free-port.mjs";

const START_LIMIT_MS = 300_000;
const LOOK_MS = 250;
const AGENT = `kind: agent
format: 1
name: Conformance
description: Answers what it is asked.
write_autonomy: blocked
skill_content: |
  Answer the request.
config:
  version: 1
  tools: { builtin: [] }
`;

/**
 * The built service with an account and an agent, and before it a proxy that does what the suite
 * cannot: it sends the account's key with every request.
 * @param {string} root
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startConformanceTarget(root) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-mcp-"));
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: "error" };
  // A connection of the suite's each; it is one client.
  const settings = { ...env, IP_LIMIT_PER_MINUTE: "0", AUDIT_LOG: "off", ACCESS_LOG: "false" };
  const service = spawn(process.execPath, [join(root, "scripts/start.mjs")], {
    cwd: root,
    env: settings,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(service, "exit");
  const base = `http://127.0.0.1:${port}`;
  /** @type {import("node:http").Server | undefined} */
  let proxy;
  const stop = async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    service.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(base, () => service.exitCode !== null);
    const password = randomBytes(12).toString("base64url");
    const args = ["account", "create", "--email", "suite@example.test", "--password", password];
    const limits = ["--read-per-minute", "100000"];
    const admin = [join(root, "scripts/admin.mjs"), ...args, ...limits];
    const options = /** @type {const} */ ({ cwd: root, env, encoding: "utf8" });
    const { api_key: key } = JSON.parse(execFileSync(process.execPath, admin, options));
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/yaml" };
    const made = await fetch(`${base}/v1/agents/import`, { method: "POST", headers, body: AGENT });
    if (!made.ok) throw new Error(`There is no agent: ${await made.text()}`);
    proxy = await startProxy(port, key);
    const address = proxy.address();
    if (address === null || typeof address === "string") throw new Error("There is no proxy.");
    return { url: `http://127.0.0.1:${address.port}/mcp`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {string} base
 * @param {() => boolean} isOver
 */
async function ready(base, isOver) {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until && !isOver()) {
    const response = await fetch(`${base}/api/ready`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(LOOK_MS);
  }
  throw new Error("The service did not become ready.");
}

/**
 * Host and Origin go through as they come: the suite tests what becomes of them.
 * @param {number} port
 * @param {string} key
 */
async function startProxy(port, key) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const authorization = `Bearer ${key}`;
    const call = request(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, authorization } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    call.on("error", () => outgoing.destroy());
    outgoing.on("close", () => call.destroy());
    incoming.pipe(call);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}
