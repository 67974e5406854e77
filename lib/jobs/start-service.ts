import "server-only";
import { createHmac } from "node:crypto";
import { openWithoutProof } from "@/lib/domain/account/sign-up";
import { requireDrained } from "@/lib/domain/admin/drain-engine";
import { requireIdentity } from "@/lib/domain/admin/service-identity";
import { learnWindows } from "@/lib/domain/execution/prompt/context-window";
import { models } from "@/lib/domain/models/models";
import { recallVendorLists, refreshVendorLists } from "@/lib/domain/models/vendor-lists";
import { readinessCheck, watchReadiness } from "@/lib/domain/readiness";
import { sendUnfinishedAgain } from "@/lib/domain/send-unfinished-again";
import { runWebhookWriter } from "@/lib/domain/webhooks/run-webhook";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import {
  type EngineCondition,
  engineMode,
  engineState,
  requireEngineSettings,
} from "@/lib/engine/engine-state";
import { relay } from "@/lib/engine/server/relay";
import { lookAtServer, showLife } from "@/lib/engine/server/server-mode";
import { env, isWeb, isWorker, SettingsError } from "@/lib/env";
import { requireConnections } from "@/lib/jobs/connection-room";
import { deliverWebhook } from "@/lib/jobs/deliver-webhook";
import { engineEndpoint } from "@/lib/jobs/engine-endpoint";
import { executeRun } from "@/lib/jobs/execute-run";
import { functions } from "@/lib/jobs/functions";
import { deliveryPlaces, runsAtWorkPerAccount } from "@/lib/jobs/places";
import { sendNotification } from "@/lib/jobs/send-notification";
import { log } from "@/lib/platform/log";
import { enginePostgres, postgres } from "@/lib/platform/postgres";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { definePart } from "@/lib/service";

const GRACE_MS = 20_000;
const LAST_SENDS_MS = 3_000;
const MAIL_PLACES = 4;
/**
 * A run whose process died or froze twice over one step is not taken up a third time (contract
 * §17).
 */
const RUN_DEATHS_MAX = 2;
/** For schedules, sweeps and what else is short and must never wait for an account's work. */
const OTHER_PLACES = 8;

/**
 * Starts what a server process does besides answering: with no Inngest server configured, the
 * embedded executor, else what keeps it known to that server; and offers the orderly end to the
 * listener.
 * @throws SettingsError for settings of an Inngest server that are not whole, for models that are
 * not there, and for keys or a file store that are not the database's
 */
export async function startService(): Promise<void> {
  await work();
}

const work = definePart("work", (service) => {
  const started = start();
  service.beforeClose(async () => {
    const end = await started.catch(() => null); // whoever has started it was told
    await end?.();
  });
  return started;
});

/** @returns what ends all that it has begun, at once or as the process ends */
async function start(): Promise<() => Promise<void>> {
  requireEngineSettings();
  requireWork();
  // Read at the first run only, a model that does not exist would fail every run of a service that
  // says it is ready.
  models();
  // Not given, it would undo the end of every run that has a webhook.
  runWebhookWriter();
  const risk = openWithoutProof();
  if (risk) log.warn(risk);
  await requireIdentity();
  await requireConnections(postgres());
  const leaveVendors = await followVendorLists();
  if (engineMode() === "server") await requireDrained();
  const stop = await (engineMode() === "server" ? startWithServer() : startEmbedded());
  let stopped: Promise<void> | null = null;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  processHooks().shutdown = stopOnce;
  // The first one finds what its statements need; whoever asks then is told at once.
  await readinessCheck().check();
  const leaveReadiness = watchReadiness();
  return async () => {
    leaveVendors();
    leaveReadiness();
    await stopOnce();
    const hooks = processHooks();
    if (hooks.shutdown === stopOnce) delete hooks.shutdown;
  };
}

/** @throws SettingsError for a process that would be there for nothing */
function requireWork(): void {
  if (!isWeb() && !isWorker())
    throw new SettingsError(
      "With LATHE_ROLES=worker and WORKER_CONCURRENCY=0 this process would do nothing; raise the " +
        "one, or name web in the other.",
    );
}

/** @returns what lets running steps end */
async function startEmbedded(): Promise<() => Promise<void>> {
  const executor = await startEmbeddedExecutor({
    functions,
    pool: enginePostgres(),
    concurrency: OTHER_PLACES,
    drives: isWorker(),
    lanes: [
      {
        name: "runs",
        functions: [executeRun],
        places: env().WORKER_CONCURRENCY,
        deathsMax: RUN_DEATHS_MAX,
        isShared: env().RUNS_AT_WORK_PER_ACCOUNT === 0,
      },
      { name: "deliveries", functions: [deliverWebhook], places: deliveryPlaces(env()) },
      { name: "mail", functions: [sendNotification], places: MAIL_PLACES },
    ],
  });
  log.info(
    isWorker()
      ? "the embedded executor works"
      : "this process answers requests; runs are worked on by others",
  );
  return () => stop(executor);
}

/**
 * A start does not wait longer for vendors: what they listed last stands, and this answer comes in
 * when it comes.
 */
const VENDORS_START_MS = 2_000;
const DAY_MS = 86_400_000;

/**
 * Vendors' own lists of models: what they said last, what they say now, and once a day what they
 * say then.
 */
async function followVendorLists(): Promise<() => void> {
  await recallVendorLists();
  const ask = async () => {
    await Promise.all([refreshVendorLists(), learnWindows()]);
  };
  await within(VENDORS_START_MS, ask());
  const timer = setInterval(() => void ask(), DAY_MS).unref();
  return () => clearInterval(timer);
}

/** @returns what lets calls at work and the last sends end */
async function startWithServer(): Promise<() => Promise<void>> {
  const endLife = await showLife(enginePostgres());
  const keeper = keepRegistered();
  processHooks().listening = keeper.look;
  return async () => {
    void keeper.stop();
    engineState().isStopping = true;
    await within(GRACE_MS, engineEndpoint()?.idle());
    // What is not sent by then is sent by another process, or by the next one.
    await within(LAST_SENDS_MS, relay().idle());
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

/**
 * Lets running steps end. What still answers keeps its connections; when the listener has closed,
 * the database goes, and that is no news.
 */
async function stop(executor: EmbeddedExecutor): Promise<void> {
  for (const pool of [postgres(), enginePostgres()]) {
    pool.removeAllListeners("error");
    pool.on("error", () => {});
  }
  await executor.stop({ graceMs: GRACE_MS });
}

/**
 * Tells the Inngest server the functions of this service and where it finds them, as a call of the
 * server's own would. Doing it again changes nothing.
 * @returns what is wrong, or null when it is done
 */
export async function registerApp(): Promise<string | null> {
  const endpoint = engineEndpoint();
  if (!endpoint) return null;
  const body = "{}";
  const headers = { "content-type": "application/json", "x-inngest-signature": signatureOf(body) };
  try {
    const response = await endpoint.handle(
      new Request("http://localhost/api/inngest", { method: "PUT", headers, body }),
    );
    const text = await response.text();
    return response.ok ? null : `${response.status} ${text.slice(0, 500)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** As Inngest signs: HMAC-SHA256 of the body and the second, by the key without its prefix. */
function signatureOf(body: string): string {
  const second = String(Math.floor(Date.now() / 1000));
  const key = env().INNGEST_SIGNING_KEY.replace(/^signkey-\w+-/, "");
  return `t=${second}&s=${createHmac("sha256", key).update(body).update(second).digest("hex")}`;
}

const LOOK_EVERY_MS = 10_000;
/**
 * `npm start` says when it listens; for any other server this is long enough, and too early does no
 * harm.
 */
const FIRST_LOOK_MS = 2_000;
const RETRY_MS = 1_000;

const SENTENCES: Record<Exclude<EngineCondition, "down">, string> = {
  ok: "the Inngest server drives the functions of this service",
  away: "the Inngest server does not answer; runs wait, and new ones are refused, until it does",
  refused:
    "the Inngest server refuses INNGEST_SIGNING_KEY; give it the key that the server was started " +
    "with",
  unregistered:
    "the Inngest server does not know the functions of this service; they are registered again",
};

interface Keeper {
  /** Looks now rather than in its time. */
  look(): void;
  /** Resolves when no look is under way. */
  stop(): Promise<void>;
}

/**
 * Registers the functions at the Inngest server when the process has started, looks every ten
 * seconds whether the server answers and still knows them, and registers them again when it does
 * not: it has lost its store, and so all work that it had taken, which `onForgotten` has begun
 * again. What it finds stands in `engineState().server`, and is logged when it changes.
 */
export function keepRegistered({
  everyMs = LOOK_EVERY_MS,
  firstMs = FIRST_LOOK_MS,
  retryMs = RETRY_MS,
  onForgotten = () => sendUnfinishedAgain("forgotten", runsAtWorkPerAccount(env())),
} = {}): Keeper {
  let isRegistered = false;
  let told = "";
  let stopped = false;
  let looking: Promise<void> | null = null;
  let timer = setTimeout(() => void look(), firstMs);
  timer.unref();

  const tell = (server: Exclude<EngineCondition, "down">, why: string | null) => {
    engineState().server = server;
    const condition = `${server} ${why ?? ""}`;
    if (condition === told) return;
    told = condition;
    log[server === "ok" ? "info" : "warn"](why === null ? {} : { answer: why }, SENTENCES[server]);
  };

  const lookOnce = async () => {
    let server = await lookAtServer();
    // Who works on no runs has no functions to tell of.
    if (isWorker() && (server === "unregistered" || (server === "ok" && !isRegistered))) {
      const wrong = await registerApp();
      if (wrong !== null) return tell("unregistered", wrong);
      log.info(
        isRegistered
          ? "the functions were registered again: the Inngest server had forgotten them"
          : "the functions are registered at the Inngest server",
      );
      isRegistered = true;
      if (server === "unregistered")
        await onForgotten().catch((error: unknown) =>
          log.warn(
            { err: error },
            "work that was lost is not begun again yet; each minute's look finds it",
          ),
        );
      server = await lookAtServer();
    }
    tell(server, null);
  };

  const look = async () => {
    if (looking || stopped) return;
    clearTimeout(timer);
    looking = lookOnce().catch((error: unknown) =>
      log.warn({ err: error }, "looking at the Inngest server failed; it is tried again"),
    );
    await looking;
    looking = null;
    if (stopped) return;
    timer = setTimeout(() => void look(), engineState().server === "ok" ? everyMs : retryMs);
    timer.unref();
  };
  return {
    look: () => void look(),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
