import "server-only";
import { engineMode } from "@/lib/engine/engine-mode";
import { once } from "@/lib/platform/once";

/** What this process knows of its registration at an Inngest server. Whoever registers the functions there says so. */
export function engineRegistration(): { isKnown: boolean } {
  return once("engine.registration", () => ({ isKnown: false }));
}

/** Whether what drives the functions knows where they are: the embedded executor always does, an Inngest server once they were registered there. */
export function isEngineRegistered(): boolean {
  return engineMode() === "embedded" || engineRegistration().isKnown;
}
