import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { serve } from "../lib/server/serve.mjs";
import { openDatabase } from "./setup/open-database.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/** `npm run dev`: the service with pages and routes compiled as they change. */
await runScript(async (shutdown) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  // Next would report how it is used; the README says that nothing is sent anywhere.
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  await prepare({ root, build: false });
  const database = await openDatabase(root);
  shutdown.add(() => database.stop());
  const address = await serve({ root, dev: true, onShutdown: shutdown.add });
  print(`Lathe is ready on ${address}`);
});
