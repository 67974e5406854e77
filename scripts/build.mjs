import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { bundleAdmin } from "./setup/open-admin.mjs";
import { addPackagesOfChildren } from "./setup/packages-of.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * `npm run build`: all that `npm start` would set up, and the operator's command, so that nothing
 * is left to do but to serve.
 */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root });
  await bundleAdmin(root);
  addPackagesOfChildren(root);
  print("Built. npm start serves it.");
});
