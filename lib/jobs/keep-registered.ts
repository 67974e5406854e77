import "server-only";
import type { EngineCondition } from "@/lib/engine/engine-state";
import { engineState } from "@/lib/engine/engine-state";
import { lookAtServer } from "@/lib/engine/look-at-server";
import { registerApp } from "@/lib/jobs/register-app";
import { log } from "@/lib/platform/log";

const LOOK_EVERY_MS = 10_000;
/** `npm start` says when it listens; for any other server this is long enough, and too early does no harm. */
const FIRST_LOOK_MS = 2_000;
const RETRY_MS = 1_000;

const NEWS: Record<Exclude<EngineCondition, "down">, string> = {
  ok: "the Inngest server drives the functions of this service",
  away: "the Inngest server does not answer; runs wait, and new ones are refused, until it does",
  refused: "the Inngest server refuses INNGEST_SIGNING_KEY; give it the key that the server was started with",
  unregistered: "the Inngest server does not know the functions of this service; they are registered again",
};

interface Keeper {
  /** Looks now rather than in its time. */
  look(): void;
  stop(): void;
}

/**
 * Registers the functions at the Inngest server when the process has started, looks every ten seconds whether the server answers and still knows them, and registers
 * them again when it does not: it may have lost its store. What it finds stands in `engineState().server`, and is logged when it changes.
 */
export function keepRegistered({ everyMs = LOOK_EVERY_MS, firstMs = FIRST_LOOK_MS, retryMs = RETRY_MS } = {}): Keeper {
  let isRegistered = false;
  let told = "";
  let stopped = false;
  let looking = false;
  let timer = setTimeout(() => void look(), firstMs);
  timer.unref();

  const tell = (server: Exclude<EngineCondition, "down">, why: string | null) => {
    engineState().server = server;
    const news = `${server} ${why ?? ""}`;
    if (news === told) return;
    told = news;
    log[server === "ok" ? "info" : "warn"](why === null ? {} : { answer: why }, NEWS[server]);
  };

  const lookOnce = async () => {
    let server = await lookAtServer();
    if (server === "unregistered" || (server === "ok" && !isRegistered)) {
      const wrong = await registerApp();
      if (wrong !== null) return tell("unregistered", wrong);
      isRegistered = true;
      server = await lookAtServer();
    }
    tell(server, null);
  };

  const look = async () => {
    if (looking || stopped) return;
    looking = true;
    clearTimeout(timer);
    await lookOnce().catch((error: unknown) => log.warn({ err: error }, "looking at the Inngest server failed; it is tried again"));
    looking = false;
    if (stopped) return;
    timer = setTimeout(() => void look(), engineState().server === "ok" ? everyMs : retryMs);
    timer.unref();
  };
  return {
    look: () => void look(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
