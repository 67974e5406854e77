import "server-only";
import { requireDrained } from "@/lib/domain/admin/drain-engine";
import { requireIdentity } from "@/lib/domain/admin/service-identity";
import { inngest } from "@/lib/engine/client";
import { type EmbeddedExecutor, startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { engineMode, requireEngineSettings } from "@/lib/engine/engine-mode";
import { engineState } from "@/lib/engine/engine-state";
import { showLife } from "@/lib/engine/show-life";
import { env } from "@/lib/env";
import { deliverWebhook } from "@/lib/jobs/deliver-webhook";
import { engineEndpoint } from "@/lib/jobs/engine-endpoint";
import { executeRun } from "@/lib/jobs/execute-run";
import { functions } from "@/lib/jobs/functions";
import { keepRegistered } from "@/lib/jobs/keep-registered";
import { deliveryPlaces } from "@/lib/jobs/places";
import { sendNotification } from "@/lib/jobs/send-notification";
import { log } from "@/lib/platform/log";
import { enginePostgres, postgres } from "@/lib/platform/postgres";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { processSingleton } from "@/lib/platform/process-singleton";

const GRACE_MS = 20_000;
const MAIL_PLACES = 4;
/** For schedules, sweeps and what else is short and must never wait for an account's work. */
const OTHER_PLACES = 8;

/**
 * Starts what a server process does besides answering: with no Inngest server configured, the embedded executor, else what keeps it known to that server; and offers
 * the orderly end to the listener.
 * @throws SettingsError for settings of an Inngest server that are not whole, and for keys or a file store that are not the database's
 */
export async function startService(): Promise<void> {
  await processSingleton("service", start);
}

async function start(): Promise<void> {
  requireEngineSettings();
  await requireIdentity();
  if (engineMode() === "server") {
    await requireDrained();
    return startWithServer();
  }
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
  processHooks().shutdown = () => stop(executor);
  log.info("the embedded executor works");
}

async function startWithServer(): Promise<void> {
  const endLife = await showLife(enginePostgres());
  const keeper = keepRegistered();
  processHooks().listening = keeper.look;
  processHooks().shutdown = async () => {
    void keeper.stop();
    engineState().isStopping = true;
    await within(GRACE_MS, engineEndpoint()?.idle());
    for (const pool of [postgres(), enginePostgres()]) {
      pool.removeAllListeners("error");
      pool.on("error", () => {});
    }
    await endLife();
  };
}

/** Waits for `work`, at most `limitMs`. */
async function within(limitMs: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Lets running steps end. What still answers keeps its connections; when the listener has closed, the database goes, and that is no news. */
async function stop(executor: EmbeddedExecutor): Promise<void> {
  for (const pool of [postgres(), enginePostgres()]) {
    pool.removeAllListeners("error");
    pool.on("error", () => {});
  }
  await executor.stop({ graceMs: GRACE_MS });
}
