import "server-only";
import { engineMode } from "@/lib/engine/engine-mode";
import { processSingleton } from "@/lib/platform/process-singleton";

/** `down`: the embedded executor does not work. Of an Inngest server: `away`: no answer; `refused`: not with this signing key; `unregistered`: it does not know the functions. */
export type EngineCondition = "ok" | "down" | "away" | "refused" | "unregistered";

/** What this process knows of its engine. */
export function engineState(): {
  /** Whether the embedded executor runs and has its database. */
  isAlive: () => boolean;
  /** Its number among `engine_processes`, while it is one of them. */
  processId: number | null;
  /** How many other processes drive runs, as of the last beat; 1 while that is not known. */
  others: number;
  /** How the Inngest server was when it was last looked at. */
  server: Exclude<EngineCondition, "down">;
  /** With an Inngest server: this process ends, and steps that end are handed back at once. */
  isStopping: boolean;
} {
  return processSingleton("engine.state", () => ({ isAlive: () => false, processId: null, others: 1, server: "away", isStopping: false }));
}

/** Whether runs that are accepted now are worked on, and if not, why. Asks nobody: an Inngest server is looked at every ten seconds (lib/jobs/start-service.ts). */
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

/** Whether what drives the functions knows where they are: the embedded executor always does, an Inngest server once they were registered there. */
export function isEngineRegistered(): boolean {
  return engineMode() === "embedded" || engineState().server === "ok";
}
