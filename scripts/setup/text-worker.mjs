import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleForNode } from "./bundle-for-node.mjs";
import { hashFiles } from "./hash-files.mjs";
import { writeFileAtomically } from "./owned-files.mjs";

/** Where lib/runtime/text-work/in-text-worker.ts looks for it. */
export const TEXT_WORKER = ".cache/text-worker.mjs";
const SOURCES = [
  ...["lib/model", "lib/offline-model", "lib/platform", "lib/runtime", "lib/templates"],
  ...["package-lock.json", "scripts/setup/bundle-for-node.mjs"],
];

/** @param {string} root */
function sourcesHash(root) {
  return hashFiles(root, SOURCES, { skip: (path) => path.endsWith(".test.ts") });
}

/**
 * Makes the module of the threads that work on texts, when its sources changed.
 * @param {string} root
 */
export async function bundleTextWorker(root) {
  const target = join(root, TEXT_WORKER);
  const marker = `${target}.sources`;
  const sources = sourcesHash(root);
  const isMade = existsSync(target) && existsSync(marker);
  if (isMade && readFileSync(marker, "utf8") === sources) return;
  const text = await bundleForNode(root, 'import "@/lib/runtime/text-work/worker";');
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileAtomically(target, text, 0o644);
  writeFileAtomically(marker, sources, 0o644);
}
