import "server-only";
import { env, SettingsError } from "@/lib/env";
import { isLoopback } from "@/lib/platform/public-base-url";
import { definePart } from "@/lib/service";

/**
 * `server`: an Inngest server drives the functions over HTTP. `embedded`: this process does, on its
 * own queue in Postgres.
 */
export function engineMode(): "server" | "embedded" {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return (INNGEST_EVENT_KEY !== "" && INNGEST_SIGNING_KEY !== "") || isDevEngine()
    ? "server"
    : "embedded";
}

/** Whether the Inngest server is a developer's own, which signs nothing. */
export function isDevEngine(): boolean {
  const { INNGEST_DEV } = env();
  return INNGEST_DEV !== "" && !["0", "false"].includes(INNGEST_DEV.toLowerCase());
}

/**
 * The settings of an Inngest server, whole or not at all: half of them would accept runs that
 * nobody drives, or let anybody drive them.
 * @throws SettingsError, one sentence that says what is missing
 */
export function requireEngineSettings(): void {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL, INNGEST_DEV } = env();
  if (isDevEngine()) {
    const server = INNGEST_BASE_URL || (URL.canParse(INNGEST_DEV) ? INNGEST_DEV : "");
    if (isLoopback(server)) return;
    throw new SettingsError(
      "INNGEST_DEV=1 takes calls without a signature, so it needs INNGEST_BASE_URL to be the " +
        "address of an Inngest Dev Server on this machine, such as http://127.0.0.1:8288.",
    );
  }
  const given = { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL };
  const set = Object.entries(given).flatMap(([name, value]) => (value === "" ? [] : [name]));
  const missing = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"].filter(
    (name) => !set.includes(name),
  );
  if (set.length === 0 || missing.length === 0) return;
  throw new SettingsError(
    `${set.join(" and ")} ${set.length === 1 ? "is" : "are"} set, but an Inngest server is used ` +
      `only with ${missing.join(" and ")} too; set ${missing.length === 1 ? "it" : "them"}, or ` +
      "none of these for the embedded executor.",
  );
}

/**
 * `down`: the embedded executor does not work. Of an Inngest server: `away`: no answer; `refused`:
 * not with this signing key; `unregistered`: it does not know the functions.
 */
export type EngineCondition = "ok" | "down" | "away" | "refused" | "unregistered";

interface EngineState {
  /** Whether the embedded executor runs and has its database. */
  isAlive: () => boolean;
  /** Its number among `engine_processes`, while it is one of them. */
  processId: number | null;
  /** How many other processes drive runs, as of the last beat; 1 while that is not known. */
  others: number;
  /** The embedded executor's lanes in which runs waited at the last beat. */
  waitingLanes: readonly string[];
  /** How the Inngest server was when it was last looked at. */
  server: Exclude<EngineCondition, "down">;
  /** With an Inngest server: this process ends, and steps that end are handed back at once. */
  isStopping: boolean;
}

/** What this process knows of its engine. */
export const engineState = definePart(
  "engine.state",
  (): EngineState => ({
    isAlive: () => false,
    processId: null,
    others: 1,
    waitingLanes: [],
    server: "away",
    isStopping: false,
  }),
);

/**
 * Whether runs that are accepted now are worked on, and if not, why. Asks nobody: an Inngest server
 * is looked at every ten seconds (lib/jobs/start-service.ts).
 */
export function engineCondition(): EngineCondition {
  const { isAlive, server } = engineState();
  if (engineMode() === "server") return server;
  return isAlive() ? "ok" : "down";
}

/** Whether the embedded executor works, or the Inngest server answers and takes our key. */
export function isEngineAlive(): boolean {
  const condition = engineCondition();
  return condition === "ok" || condition === "unregistered";
}

/**
 * Whether what drives the functions knows where they are: the embedded executor always does, an
 * Inngest server once they were registered there.
 */
export function isEngineRegistered(): boolean {
  return engineMode() === "embedded" || engineState().server === "ok";
}
