import "server-only";
import { engineMode } from "@/lib/engine/engine-mode";
import { type EngineCondition, engineState } from "@/lib/engine/engine-state";

/** Whether runs that are accepted now are worked on, and if not, why. Asks nobody: an Inngest server is looked at every ten seconds (lib/jobs/keep-registered.ts). */
export function engineCondition(): EngineCondition {
  const { isAlive, server } = engineState();
  if (engineMode() === "server") return server;
  return isAlive() ? "ok" : "down";
}
