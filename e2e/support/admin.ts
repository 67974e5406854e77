import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the operator's command answered. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/**
 * Runs the operator's command (contract §15) beside the suite's server and returns the object that it prints. `E2E_ADMIN` names another
 * command, so that a server elsewhere can be tested. `input` is its standard input. Throws `AdminError` with its output when it fails.
 */
export function admin(args: string[], environment: Record<string, string | undefined> = {}, input = ""): Promise<Record<string, unknown>> {
  const [command = "node", ...first] = (process.env.E2E_ADMIN || "npm run -s admin --").split(" ");
  const dataDir = process.env.E2E_DATA_DIR ? { DATA_DIR: process.env.E2E_DATA_DIR } : {};
  return new Promise((resolve, reject) => {
    const options = { cwd: ROOT, env: { ...process.env, ...dataDir, ...environment }, timeout: 300_000, maxBuffer: 1024 * 1024 };
    const child = execFile(command, [...first, ...args], options, (error, stdout, stderr) => {
      if (error) return reject(new AdminError(`admin ${args.join(" ")} failed: ${error.message}\n${stdout}\n${stderr}`));
      try {
        // It promises exactly one JSON object on its standard output.
        resolve(JSON.parse(stdout) as Record<string, unknown>);
      } catch {
        reject(new AdminError(`admin ${args.join(" ")} printed something else than one JSON object:\n${stdout}\n${stderr}`));
      }
    });
    child.stdin?.end(input);
  });
}
