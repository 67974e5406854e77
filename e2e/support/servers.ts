import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string")
        return reject(new Error("The probe listens on no port."));
      server.close(() => resolve(address.port));
    });
  });
}

export interface HelperServer {
  url: string;
  stop(): Promise<void>;
}

const FILES = {
  model: { file: "model-server.mjs", prefix: "MODEL_SERVER" },
  webhook: { file: "webhook-receiver.mjs", prefix: "WEBHOOK_RECEIVER" },
  oidc: { file: "oidc-provider.mjs", prefix: "OIDC_PROVIDER" },
} as const;

/**
 * Starts the fake model server, the webhook receiver or the fake provider of sign-ins on `port` (0:
 * any). It ends with this process, however that ends.
 */
export async function startHelperServer(kind: keyof typeof FILES, port = 0): Promise<HelperServer> {
  const { file, prefix } = FILES[kind];
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, [`${prefix}_PORT`]: String(port), [`${prefix}_UNTIL_STDIN_ENDS`]: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString("utf8")));
    child.once("exit", (code) =>
      reject(new Error(`${file} ended with code ${code} before it listened.`)),
    );
  });
  // It prints exactly this object when it listens.
  const listening = JSON.parse(line) as { port: number };
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
