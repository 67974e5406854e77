import { fileURLToPath } from "node:url";
import { serve } from "../lib/server/serve.mjs";
import { openDatabase, readEnvironmentFile } from "./setup/open-database.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/** `npm start`: sets up what is missing, then serves. */
await runScript(async (shutdown) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  readEnvironmentFile(root);
  await prepare({ root });
  const database = await openDatabase(root);
  shutdown.add(() => database.stop());
  const address = await serve({ root, onShutdown: shutdown.add });
  print(`Lathe is ready on ${address}`);
});
