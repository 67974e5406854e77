import "server-only";
import { engineMode } from "@/lib/engine/engine-mode";
import { engineState } from "@/lib/engine/engine-state";

/** Whether runs that are accepted now are worked on: the embedded executor runs and has its database. An Inngest server is taken for alive. */
export function isEngineAlive(): boolean {
  return engineMode() === "server" || engineState().isAlive();
}
