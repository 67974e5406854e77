import { fileURLToPath } from "node:url";
import { openDatabase, readEnvironmentFile } from "./lib/open-database.mjs";
import { prepare } from "./lib/prepare.mjs";
import { runScript } from "./lib/run-script.mjs";
import { serve } from "./lib/serve.mjs";

/** `npm start`: sets up what is missing, then serves. */
await runScript(async (ending) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  readEnvironmentFile(root);
  await prepare({ root });
  const database = await openDatabase(root);
  ending.add(() => database.stop());
  await serve({ root, ending });
});
