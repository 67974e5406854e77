import "server-only";
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { z } from "zod";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import type { EngineFunction } from "@/lib/engine/functions";
import { toInngestFunctions } from "@/lib/engine/server/inngest-functions";
import { openEngineDatabase } from "@/lib/engine/test/engine-database";
import { FAKE_APP, silent } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";

/** An engine under test. */
export interface EngineHost {
  start(functions: EngineFunction[]): Promise<void>;
  send(name: string, data: Record<string, unknown>, id?: string): Promise<void>;
  stop(): Promise<void>;
}

export async function embeddedHost(): Promise<EngineHost> {
  const database = await openEngineDatabase();
  let executor: EmbeddedExecutor | null = null;
  return {
    async start(functions) {
      executor = await startEmbeddedExecutor({
        app: FAKE_APP,
        functions,
        pool: database.pool,
        concurrency: 20,
        backoffMs: () => 20,
      });
    },
    send: (name, data, id = newId()) => enqueueEvent(database.pool, { id, name, data }),
    async stop() {
      await executor?.stop({ graceMs: 2_000 });
      await database.close();
    },
  };
}

const startedShape = z.object({ url: z.string(), eventKey: z.string(), signingKey: z.string() });

/**
 * The Inngest server whose binary INNGEST_SERVER names, and an HTTP server of this process that it
 * calls. Failed steps come again after a second.
 */
export async function serverHost(): Promise<EngineHost> {
  const child = spawn(process.execPath, ["scripts/inngest-server.mjs", "--retry-interval", "1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (text: Buffer) => resolve(text.toString("utf8")));
    child.once("exit", (code) =>
      reject(new Error(`scripts/inngest-server.mjs ended with code ${code}`)),
    );
  });
  const { url, eventKey, signingKey } = startedShape.parse(JSON.parse(line));
  const client = new Inngest({
    id: FAKE_APP,
    baseUrl: url,
    eventKey,
    signingKey,
    isDev: false,
    aiMetadata: false,
    logger: silent,
  });
  let http: Server | null = null;
  return {
    async start(functions) {
      const server = createServer((request, response) => handler(request, response));
      http = server;
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      // A listening TCP server has an address with a port.
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const served = toInngestFunctions(client, functions);
      const handler = serve({
        client,
        functions: served,
        serveOrigin: origin,
        servePath: "/api/inngest",
      });
      const answer = await fetch(`${origin}/api/inngest`, { method: "PUT" });
      if (!answer.ok)
        throw new Error(`The functions could not be registered: ${await answer.text()}`);
    },
    async send(name, data, id = newId()) {
      await client.send({ name, data, id });
    },
    async stop() {
      child.stdin.end();
      await exited;
      http?.closeAllConnections();
      http?.close();
    },
  };
}
