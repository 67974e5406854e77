import "server-only";
import { engineMode } from "@/lib/engine/engine-mode";
import { engineState } from "@/lib/engine/engine-state";

/** Whether what drives the functions knows where they are: the embedded executor always does, an Inngest server once they were registered there. */
export function isEngineRegistered(): boolean {
  return engineMode() === "embedded" || engineState().server === "ok";
}
