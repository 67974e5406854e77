import "server-only";
import { engineCondition } from "@/lib/engine/engine-condition";

/** Whether the embedded executor works, or the Inngest server answers and takes our key. */
export function isEngineAlive(): boolean {
  const condition = engineCondition();
  return condition === "ok" || condition === "unregistered";
}
