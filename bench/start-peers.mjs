import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../scripts/setup/free-port.mjs";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { openBenchDatabase } from "./bench-database.mjs";
import { peerFolder } from "./peer-packages.mjs";
import { forkReporting, startServer } from "./processes.mjs";

/**
 * @typedef {import("../scripts/setup/run-script.mjs").Shutdown} Shutdown
 */

/**
 * Bare Node on a PostgreSQL of its own: what this machine can do at most.
 * @param {{ modelUrl: string }} options
 * @param {Shutdown} shutdown
 */
export function startReference({ modelUrl }, shutdown) {
  return startOnDatabase({ name: "reference", file: "reference.mjs", modelUrl }, shutdown);
}

/**
 * Workflows of DBOS on a PostgreSQL of its own, in which it makes a second database for itself.
 * @param {{ modelUrl: string }} options
 * @param {Shutdown} shutdown
 */
export function startDbos({ modelUrl }, shutdown) {
  return startOnDatabase({ name: "dbos", file: "peer-dbos.mjs", modelUrl }, shutdown);
}

/**
 * @param {{ name: string, file: string, modelUrl: string }} options
 * @param {Shutdown} shutdown
 */
async function startOnDatabase({ name, file, modelUrl }, shutdown) {
  const database = await openBenchDatabase(shutdown);
  const { child, said } = await forkReporting(
    file,
    { DATABASE_URL: database.url, MODEL_URL: modelUrl },
    shutdown,
  );
  const pids = [Number(child.pid), ...database.pids];
  return { name, port: said.port, headers: {}, pids, database };
}

/**
 * Restate's server, which keeps its journal on disk as it does by default, and a service beside it.
 * It asks GitHub for its newest release when it starts, and nothing switches that off; what it
 * reports to its makers otherwise is switched off.
 * @param {{ modelUrl: string }} options
 * @param {Shutdown} shutdown
 */
export async function startRestate({ modelUrl }, shutdown) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-bench-restate-"));
  shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  const [node, ingress, admin] = [await freePort(), await freePort(), await freePort()];
  const config = join(folder, "restate.toml");
  writeFileSync(config, restateConfig(folder, { node, ingress, admin }));
  const adminUrl = `http://127.0.0.1:${admin}`;
  const server = await startServer(
    {
      name: "Restate",
      command: join(peerFolder("restate"), "node_modules/.bin/restate-server"),
      args: ["--no-logo", "--config-file", config],
      cwd: folder,
      env: { ...process.env, DO_NOT_TRACK: "1" },
      url: `${adminUrl}/health`,
    },
    shutdown,
  );
  const ingressUrl = `http://127.0.0.1:${ingress}`;
  const { child, said } = await forkReporting(
    "peer-restate.mjs",
    { INGRESS_URL: ingressUrl, MODEL_URL: modelUrl, RESTATE_LOGGING: "ERROR" },
    shutdown,
  );
  const registered = await fetch(`${adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${said.endpoint}` }),
  });
  if (!registered.ok) throw new SetupError("Restate refuses the service.", await registered.text());
  return {
    name: "restate",
    port: ingress,
    streamPort: said.port,
    headers: {},
    pids: [Number(server.child.pid), Number(child.pid)],
  };
}

/**
 * @param {string} folder
 * @param {{ node: number, ingress: number, admin: number }} ports
 */
function restateConfig(folder, { node, ingress, admin }) {
  return `disable-telemetry = true
log-filter = "error"
base-dir = ${JSON.stringify(join(folder, "data"))}
listen-mode = "tcp"
bind-address = "127.0.0.1:${node}"
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
disable-web-ui = true
`;
}
