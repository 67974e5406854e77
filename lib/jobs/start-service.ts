import "server-only";
import { requireDrained } from "@/lib/domain/admin/drain-engine";
import { requireIdentity } from "@/lib/domain/admin/service-identity";
import { inngest } from "@/lib/engine/client";
import { type EmbeddedExecutor, startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { engineMode, requireEngineSettings } from "@/lib/engine/engine-mode";
import { env } from "@/lib/env";
import { deliverWebhook } from "@/lib/jobs/deliver-webhook";
import { executeRun } from "@/lib/jobs/execute-run";
import { functions } from "@/lib/jobs/functions";
import { deliveryPlaces } from "@/lib/jobs/places";
import { sendNotification } from "@/lib/jobs/send-notification";
import { log } from "@/lib/platform/log";
import { once } from "@/lib/platform/once";
import { enginePostgres, postgres } from "@/lib/platform/postgres";

const GRACE_MS = 20_000;
const MAIL_PLACES = 4;
/** For schedules, sweeps and what else is short and must never wait for an account's work. */
const OTHER_PLACES = 8;

/**
 * Starts what a server process does besides answering: with no Inngest server configured, the embedded executor; and offers the orderly end to the listener.
 * @throws SettingsError for settings of an Inngest server that are not whole, and for keys or a file store that are not the database's
 */
export async function startService(): Promise<void> {
  await once("service", start);
}

async function start(): Promise<void> {
  requireEngineSettings();
  await requireIdentity();
  if (engineMode() !== "embedded") return requireDrained();
  const executor = await startEmbeddedExecutor({
    client: inngest,
    functions,
    pool: enginePostgres(),
    concurrency: OTHER_PLACES,
    lanes: [
      { name: "runs", functions: [executeRun], places: env().WORKER_CONCURRENCY },
      { name: "deliveries", functions: [deliverWebhook], places: deliveryPlaces(env()) },
      { name: "mail", functions: [sendNotification], places: MAIL_PLACES },
    ],
  });
  (globalThis as unknown as Record<symbol, () => Promise<void>>)[Symbol.for("lathe.shutdown")] = () => stop(executor); // the seam named in scripts/lib/serve.mjs
  log.info("the embedded executor works");
}

/** Lets running steps end. What still answers keeps its connections; when the listener has closed, the database goes, and that is no news. */
async function stop(executor: EmbeddedExecutor): Promise<void> {
  for (const pool of [postgres(), enginePostgres()]) {
    pool.removeAllListeners("error");
    pool.on("error", () => {});
  }
  await executor.stop({ graceMs: GRACE_MS });
}
