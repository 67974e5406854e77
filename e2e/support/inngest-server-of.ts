import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../scripts/inngest-server.mjs", import.meta.url));

/** An Inngest server of a test's own. */
export interface InngestServer {
  /** What a service is told to be driven by it. */
  settings: { INNGEST_BASE_URL: string; INNGEST_EVENT_KEY: string; INNGEST_SIGNING_KEY: string };
  port: number;
  /** The folder of its database. */
  store: string;
  stop(): Promise<void>;
}

/** Whether the services of these tests are driven by an Inngest server (`npm run test:inngest`). */
export const hasInngest = process.env.E2E_ENGINE === "inngest";

const servers = new Map<string, Promise<InngestServer>>();

/**
 * The Inngest server of a service's data folder, for `npm run test:inngest`: each folder has a
 * server of its own, since a server tells every app of every event. It outlives the service, as in
 * life, and ends when it is stopped, or with this process, however that ends. A step that failed,
 * or could not be handed to the service, comes again after eight seconds: five attempts have to be
 * more than a restart takes.
 */
export function inngestServerOf(dataDir: string): Promise<InngestServer> {
  const existing = servers.get(dataDir);
  if (existing) return existing;
  const started = start(() => servers.delete(dataDir));
  servers.set(dataDir, started);
  return started;
}

async function start(onStop: () => void): Promise<InngestServer> {
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
  const { url, port, eventKey, signingKey, store } = JSON.parse(line) as {
    url: string;
    port: number;
    eventKey: string;
    signingKey: string;
    store: string;
  };
  return {
    settings: {
      INNGEST_BASE_URL: url,
      INNGEST_EVENT_KEY: eventKey,
      INNGEST_SIGNING_KEY: signingKey,
    },
    port,
    store,
    stop: () => {
      onStop();
      return end(child);
    },
  };
}

/** Its standard input is what it lives by. */
function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}
