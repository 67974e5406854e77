import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleAdmin } from "./setup/open-admin.mjs";
import { packagesOf } from "./setup/packages-of.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

const CHILDREN = ["lib/runtime/sandbox/child.mjs", "lib/runtime/documents/child.mjs"];

/** `npm run build`: all that `npm start` would set up, and the operator's command, so that nothing is left to do but to serve. */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root });
  await bundleAdmin(root);
  addPackagesOfChildren(root);
  print("Built. npm start serves it.");
});

/**
 * Processes that the service starts by path, such as the sandbox, have packages that Next's build cannot see: they come to those that it found.
 * @param {string} root
 */
function addPackagesOfChildren(root) {
  for (const folder of packagesOf(root, CHILDREN)) cpSync(join(root, folder), join(root, ".next/standalone", folder), { recursive: true });
}
