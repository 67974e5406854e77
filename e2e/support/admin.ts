import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/**
 * The groups of commands that only change rows: they do the same whether their process is new or
 * not.
 */
const IN_SESSION = new Set(["account", "key"]);

/** What the operator's command answered. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/** The sessions that this process has opened, by data folder. */
const sessions = new Map<string, string>();
const sessionAnswer = z.object({ output: z.string(), code: z.number() });

/**
 * Runs an operator's command (contract §15) beside the suite's server, or on the data folder that
 * `environment` names, and returns the object that it prints: in the session that is kept open
 * there, where there is one and the command needs no process of its own, else as `adminByProcess`.
 * Throws `AdminError` with its output when it fails.
 */
export async function admin(
  args: string[],
  environment: Record<string, string | undefined> = {},
  input = "",
): Promise<Record<string, unknown>> {
  const { DATA_DIR: dataDir, ...others } = environment;
  const session = dataDir === undefined ? process.env.E2E_ADMIN_SESSION : sessions.get(dataDir);
  const isOrdinary =
    IN_SESSION.has(args[0] ?? "") && input === "" && Object.keys(others).length === 0;
  if (!session || !isOrdinary) return adminByProcess(args, environment, input);
  const response = await fetch(session, { method: "POST", body: JSON.stringify(args) });
  const { output, code } = sessionAnswer.parse(await response.json());
  if (code !== 0) throw new AdminError(`admin ${args.join(" ")} failed:\n${output}`);
  return toObject(output, args);
}

/**
 * The operator's command as an operator gives it. `E2E_ADMIN` names another command, so that a
 * server elsewhere can be tested. `input` is its standard input.
 * Throws `AdminError` with its output when it fails.
 */
export function adminByProcess(
  args: string[],
  environment: Record<string, string | undefined> = {},
  input = "",
): Promise<Record<string, unknown>> {
  const [command = "node", ...first] = (process.env.E2E_ADMIN || "npm run -s admin --").split(" ");
  const dataDir = process.env.E2E_DATA_DIR ? { DATA_DIR: process.env.E2E_DATA_DIR } : {};
  return new Promise((resolve, reject) => {
    const options = {
      cwd: ROOT,
      env: { ...process.env, ...dataDir, ...environment },
      timeout: 300_000,
      maxBuffer: 1024 * 1024,
    };
    const child = execFile(command, [...first, ...args], options, (error, stdout, stderr) => {
      if (error)
        return reject(
          new AdminError(`admin ${args.join(" ")} failed: ${error.message}\n${stdout}\n${stderr}`),
        );
      try {
        resolve(toObject(stdout, args));
      } catch (cause) {
        reject(cause);
      }
    });
    child.stdin?.end(input);
  });
}

/** It promises exactly one JSON object on its standard output. */
function toObject(output: string, args: string[]): Record<string, unknown> {
  try {
    return JSON.parse(output) as Record<string, unknown>; // checked by whoever reads its fields
  } catch {
    throw new AdminError(
      `admin ${args.join(" ")} printed something else than one JSON object:\n${output}`,
    );
  }
}

/**
 * Keeps the operator's command open on a service's data folder. `stop` before the service stops: it
 * uses the same database.
 */
export async function openAdminSession(
  dataDir: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ["scripts/admin-session.mjs"], {
    cwd: ROOT,
    // What a test does to accounts is nobody's evidence, and would drown what it says itself.
    env: { ...process.env, DATA_DIR: dataDir, AUDIT_LOG: "off" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = await new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
    exited.then(
      () => reject(new Error("The operator's session ended before it was open.")),
      reject,
    );
  });
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(line));
  sessions.set(dataDir, url);
  return {
    url,
    async stop() {
      sessions.delete(dataDir);
      child.stdin?.end();
      await exited;
    },
  };
}
