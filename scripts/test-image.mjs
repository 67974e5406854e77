import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleImage, readDockerfile } from "./checks/dockerfile.mjs";
import { startDisposablePostgres } from "./postgres/embedded-postgres.mjs";
import { apiClient } from "./setup/api-client.mjs";
import { freePort } from "./setup/free-port.mjs";
import { bundleAdmin } from "./setup/open-admin.mjs";
import { addPackagesOfChildren } from "./setup/packages-of.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print, printTo, progress } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * @typedef {import("./checks/dockerfile.mjs").Image} Image
 * @typedef {{ child: import("node:child_process").ChildProcess, answer: () => string, output: () =>
 * string, ended: Promise<number | null> }} Running
 *   `answer` is what it wrote to standard output, `output` that and standard error.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Of the user `node` of the base image. */
const USER_ID = 1000;
const SYSTEM_FOLDERS = ["/usr", "/etc"];
const START_LIMIT_MS = 180_000;
/**
 * A root that holds the image's files and, read-only, the system's: `$1` the root, `$2` where to
 * work, `$3` the folders that can be written to, as in the manifests and the Compose file; then the
 * command. `exec`, so that signals reach Node.
 */
const ENTER = `set -e
root=$1 folder=$2 writable=$3; shift 3
mount --bind "$root" "$root"
for system in ${SYSTEM_FOLDERS.join(" ")}; do mkdir -p "$root$system"; mount --bind "$system" \
"$root$system"; mount -o remount,bind,ro "$root$system"; done
for link in bin lib lib64; do [ -e "$root/$link" ] || ln -s "usr/$link" "$root/$link" || true; done
mkdir -p "$root/proc" "$root/dev"; mount --bind /proc "$root/proc"; mount --bind /dev "$root/dev"
for own in $writable; do mount --bind "$root$own" "$root$own"; done
mount -o remount,bind,ro "$root"
exec /usr/sbin/chroot --userspec=${USER_ID}:${USER_ID} --groups= "$root" /usr/bin/env -C "$folder" \
"$@"`;
const CSV = "month,amount\nJanuary,10\nFebruary,20\nMarch,60\n";

/**
 * `npm run test:image`: puts the files together that the Dockerfile's last stage would hold, and
 * starts them there as its user with its environment and nothing else: as root of Linux in a root
 * of their own, else in a folder of their own. A database migration, two instances beside one
 * PostgreSQL, an agent, a run that is streamed, an orderly stop. No part of `npm test`.
 */
await runScript(async (shutdown) => {
  await prepare({ root: ROOT });
  await bundleAdmin(ROOT);
  addPackagesOfChildren(ROOT);
  printTo(process.stdout);
  const image = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
  const root = mkdtempSync(join(tmpdir(), "lathe-image-"));
  shutdown.add(() => rmSync(root, { recursive: true, force: true }));
  await progress("Putting the image's files together", () => assemble(image, root));
  const postgres = await progress("Starting a PostgreSQL outside of it", startDisposablePostgres);
  shutdown.add(() => postgres.stop());
  const settings = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...image.environment,
    ...secrets(),
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "warn",
  };

  // The job of the manifests has nothing that it could write to.
  await succeeds(
    "Migrating the database (db-deploy)",
    start(image, root, ["node", "scripts/db-deploy.mjs"], settings, []),
  );
  const services = [await freePort(), await freePort()].map((port) => {
    const environment = { ...settings, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    const service = { port, environment, ...start(image, root, image.command, environment) };
    shutdown.add(() => service.child.kill("SIGKILL"));
    return service;
  });
  const [first, second] = services;
  if (!first || !second) throw new Error("There are two.");
  await progress("Starting two instances", () =>
    Promise.all(services.map((service) => untilReady(service.port, service))),
  );
  for (const { environment } of services)
    await succeeds("Health check of the image", start(image, root, image.healthCheck, environment));

  const created = await succeeds(
    "Making an account by the operator's command",
    start(
      image,
      root,
      [
        "node",
        "scripts/admin.mjs",
        "account",
        "create",
        "--email",
        "image@example.com",
        "--password",
        randomBytes(12).toString("hex"),
      ],
      settings,
    ),
  );
  /** @type {{ api_key: string }} */
  const { api_key: key } = JSON.parse(created);
  await progress("An agent made on one instance, and its run streamed by the other", () =>
    useBoth(`http://127.0.0.1:${first.port}`, `http://127.0.0.1:${second.port}`, key),
  );
  for (const service of services) service.child.kill("SIGTERM");
  const codes = await progress("An orderly stop", () =>
    Promise.all(services.map(({ ended }) => ended)),
  );
  if (codes.some((code) => code !== 0))
    throw new SetupError(`The instances ended with ${codes.join(" and ")} at SIGTERM, not with 0.`);
  await shutdown.run();
  print("The image's files start and serve.");
  process.exit(0);
});

/**
 * @param {Image} image
 * @param {string} root
 */
function assemble(image, root) {
  assembleImage(image, ROOT, root);
  chmodSync(root, 0o755);
  const data = join(root, image.environment.DATA_DIR ?? "");
  mkdirSync(data, { mode: 0o700 });
  if (isRoot()) chownSync(data, USER_ID, USER_ID);
  mkdirSync(join(root, "tmp"), { mode: 0o1777 });
  if (isRoot() && programInside() !== process.execPath)
    copyFileSync(process.execPath, join(root, programInside()));
}

/** Whether a root of its own can be made: by root of Linux. */
function isRoot() {
  return process.platform === "linux" && process.getuid?.() === 0;
}

/** Node.js as the image's root has it: the system's, or what the clone has brought along. */
function programInside() {
  return process.execPath.startsWith("/usr/") ? process.execPath : "/brought-node";
}

function secrets() {
  const secret = () => randomBytes(32).toString("base64");
  return {
    NEXTAUTH_SECRET: secret(),
    SIGNING_SECRET: secret(),
    ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: secret() }]),
  };
}

/**
 * @param {Image} image
 * @param {string} root
 * @param {string[]} command
 * @param {Record<string, string>} environment all that it has
 * @param {string[]} [writable] the folders that it can write to, where it has a root of its own
 * @returns {Running}
 */
function start(image, root, command, environment, writable = [environment.DATA_DIR ?? "", "/tmp"]) {
  const [program = "", ...args] = command;
  const inside = {
    env: { ...environment, DATA_DIR: join(root, environment.DATA_DIR ?? "") },
    cwd: join(root, image.folder),
  };
  /** @type {import("node:child_process").ChildProcess} */
  const child = isRoot()
    ? spawn(
        "unshare",
        [
          ...["--mount", "sh", "-c", ENTER, "enter", root, image.folder, writable.join(" ")],
          ...[programInside(), ...args],
        ],
        {
          env: environment,
          cwd: "/",
        },
      )
    : spawn(program === "node" ? process.execPath : program, args, inside);
  let [answer, output] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    answer += text;
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  return {
    child,
    answer: () => answer,
    output: () => output,
    ended: new Promise((resolve) => child.once("close", resolve)),
  };
}

/**
 * @param {string} title
 * @param {Running} running
 * @returns {Promise<string>} what it wrote to standard output
 */
function succeeds(title, { ended, answer, output }) {
  return progress(title, async () => {
    const code = await ended;
    if (code !== 0) throw new SetupError(`${title} ended with ${code}.`, output());
    return answer();
  });
}

/**
 * @param {number} port
 * @param {Running} service
 */
async function untilReady(port, { child, output }) {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/api/ready`).catch(() => null);
    if (ready?.status === 200) return;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new SetupError("An instance did not become ready.", output());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * @param {string} one
 * @param {string} other
 * @param {string} key
 */
async function useBoth(one, other, key) {
  const api = apiClient(one, key);
  const sentence =
    "Make an agent that reads a data file from the workspace and reports the average, minimum " +
    "and maximum of each numeric column.";
  /** @type {{ run_id: string }} */
  const started = await api.call("POST", "/v1/agents", { input: sentence });
  /** @type {{ agent_id: string }} */
  const built = await completed(api, started.run_id);
  /** @type {{ workspace_id: string }} */
  const workspace = await api.call("POST", "/v1/workspaces", { name: "Image" });
  await api.call(
    "POST",
    `/v1/workspaces/${workspace.workspace_id}/files?path=sales.csv`,
    CSV,
    "text/csv",
  );
  const input = {
    request: "Report the average, minimum and maximum of every numeric column.",
    path: "sales.csv",
  };
  let last = "";
  for await (const line of apiClient(other, key).stream("/v1/realtime/runs", {
    agent_id: built.agent_id,
    workspace_id: workspace.workspace_id,
    input,
  }))
    last = line;
  // 30 is the mean: computed by the sandbox, a process of the image.
  if (!/"type":"run.completed"/.test(last) || !/\b30\b/.test(last))
    throw new SetupError(`The run did not answer with the mean: ${last}`);
}

/**
 * @param {import("./setup/api-client.mjs").ApiClient} api
 * @param {string} run
 * @returns {Promise<{ agent_id: string }>}
 */
async function completed(api, run) {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    /** @type {{ status: string, agent_id: string }} */
    const state = await api.call("GET", `/v1/runs/${run}`);
    if (state.status === "completed") return state;
    if (state.status === "failed" || Date.now() > deadline)
      throw new SetupError(`The agent was not built: ${state.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
