import "server-only";
import { once } from "@/lib/platform/once";

/** What this process knows of its engine. */
export function engineState(): { isAlive: () => boolean } {
  return once("engine.state", () => ({ isAlive: () => false }));
}
