import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { serve } from "../lib/server/serve.mjs";
import { nodeWarning } from "./setup/node-lines.mjs";
import { openDatabase, readEnvironmentFile } from "./setup/open-database.mjs";
import { prepare, requireBuilt } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * `npm start`: sets up what is missing, then serves. With NODE_ENV=production it serves what was
 * built, or says what is missing.
 */
await runScript(async (shutdown) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  readEnvironmentFile(root);
  // Serving sets it.
  const isProduction = process.env.NODE_ENV === "production";
  if (isProduction) requireBuilt(root);
  else await prepare({ root });
  const database = await openDatabase(root);
  shutdown.add(() => database.stop());
  const address = await serve({ root, onShutdown: shutdown.add });
  print(`Lathe is ready on ${address}`);
  const warning = nodeWarning(process.versions.node, new Date());
  if (warning) print(`  ${warning}`);
  if (!isProduction)
    print("  Sign up there. For an account with a key: npm run -s admin -- account create --help");
});
