import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../scripts/setup/free-port.mjs";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { openBenchDatabase } from "./bench-database.mjs";
import { startServer } from "./processes.mjs";

const RAISED = "100000000";
export const MODELS = [
  "n1-i0",
  "n200-i0",
  "n100-i10",
  "n1000-i10",
  "n3000-i1",
  "n1-i0-f20000",
  "n1-i0-tool",
];

/**
 * The service in its production build on a database of its own, with one account whose limits are
 * raised. Nothing is switched off: keys, budgets, credits, the queue's turns and the ledger do
 * their work. `start()` starts a further process on the same database.
 * @param {{ root: string, modelUrl: string | null, models?: string[] }} options without a model's
 * address, the built-in model is the only one; the first of `models` is the default
 * @param {import("../scripts/setup/run-script.mjs").Shutdown} shutdown
 */
export async function startService({ root, modelUrl, models = MODELS }, shutdown) {
  const database = await openBenchDatabase(shutdown);
  const folder = mkdtempSync(join(tmpdir(), "lathe-bench-service-"));
  shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) =>
          !/^(INNGEST|OPENAI|GOOGLE|S3|SMTP|NEXTAUTH|PUBLIC)_|_(API_KEY|BASE_URL|MODELS)$/.test(
            name,
          ),
      ),
    ),
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: "error",
    AUDIT_LOG: "off",
    IP_LIMIT_PER_MINUTE: RAISED,
    WORKER_CONCURRENCY: "1200",
    ...(modelUrl !== null && {
      OPENAI_COMPATIBLE_BASE_URL: modelUrl,
      OPENAI_COMPATIBLE_MODELS: models.join(","),
      DEFAULT_MODEL: `compatible/${models[0]}`,
    }),
  };
  const start = async () => {
    const port = await freePort();
    const server = await startServer(
      {
        name: "The service",
        command: process.execPath,
        args: [join(root, "scripts/start.mjs")],
        cwd: root,
        env: { ...env, PORT: String(port) },
        url: `http://127.0.0.1:${port}/api/ready`,
      },
      shutdown,
    );
    return { name: "service", port, processes: [Number(server.child.pid)], stop: server.stop };
  };
  const process_ = await start();
  const { api_key: key } = await createAccount(root, env);
  const headers = { authorization: `Bearer ${key}` };
  return {
    ...process_,
    headers,
    pids: [...process_.processes, ...database.pids],
    database,
    /** What `admin check` says of the books. */
    check: () => admin(root, env, ["check"]),
    startAnother: async () => ({ ...(await start()), headers }),
  };
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
async function createAccount(root, env) {
  const email = ["--email", "bench@example.com"];
  const limits = [
    "--read-per-minute",
    RAISED,
    "--runs-per-minute",
    RAISED,
    "--write-per-hour",
    RAISED,
  ];
  const account = await admin(root, env, [
    "account",
    "create",
    ...email,
    "--password",
    "bench-bench-bench",
    "--credits",
    "100000000",
    ...limits,
  ]);
  await admin(root, env, ["account", "update", ...email, "--runs-at-work", "1200"]);
  return account;
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 * @returns {Promise<any>}
 */
async function admin(root, env, args) {
  const child = spawn(process.execPath, [join(root, "scripts/admin.mjs"), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0)
    throw new SetupError(`The operator's command failed: ${args[0]} ${args[1]}.`, output + errors);
  return JSON.parse(output);
}
