import "server-only";
import type { EngineHost } from "@/lib/engine/conformance/engine-host";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { type EmbeddedExecutor, startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { openEngineDatabase } from "@/lib/engine/test/engine-database";
import { fakeClient } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";

export async function embeddedHost(): Promise<EngineHost> {
  const database = await openEngineDatabase();
  const client = fakeClient();
  let executor: EmbeddedExecutor | null = null;
  return {
    client,
    async start(functions) {
      executor = await startEmbeddedExecutor({ client, functions, pool: database.pool, concurrency: 20, backoffMs: () => 20 });
    },
    send: (name, data, id = newId()) => enqueueEvent(database.pool, { id, name, data }),
    async stop() {
      await executor?.stop({ graceMs: 2_000 });
      await database.close();
    },
  };
}
