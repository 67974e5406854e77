import { fileURLToPath } from "node:url";
import { bundleTextWorker } from "./text-worker.mjs";

/** vitest's global set-up: the threads that work on texts run what the sources say. */
export default function setup(): Promise<void> {
  return bundleTextWorker(fileURLToPath(new URL("../..", import.meta.url)));
}
