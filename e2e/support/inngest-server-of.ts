import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../scripts/inngest-server.mjs", import.meta.url));
const servers = new Map<string, Promise<Record<string, string>>>();

/**
 * The settings of the Inngest server of a service's data folder, for `npm run test:inngest`: each
 * folder has a server of its own, since a server tells every app of every event. It outlives the
 * service, as in life, and ends with this process, however that ends. A step that failed, or could
 * not be handed to the service, comes again after eight seconds: five attempts have to be more than
 * a restart takes.
 */
export function inngestServerOf(dataDir: string): Promise<Record<string, string>> {
  const existing = servers.get(dataDir);
  if (existing) return existing;
  const started = start();
  servers.set(dataDir, started);
  return started;
}

async function start(): Promise<Record<string, string>> {
  const child = spawn(process.execPath, [PROGRAM, "--retry-interval", "8"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString("utf8")));
    child.once("exit", (code) =>
      reject(new Error(`scripts/inngest-server.mjs ended with code ${code}.`)),
    );
  });
  child.unref();
  // It prints exactly this object when its server answers.
  const { url, eventKey, signingKey } = JSON.parse(line) as {
    url: string;
    eventKey: string;
    signingKey: string;
  };
  return { INNGEST_BASE_URL: url, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey };
}
