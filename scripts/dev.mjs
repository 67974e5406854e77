import { fileURLToPath } from "node:url";
import { openDatabase } from "./lib/open-database.mjs";
import { prepare } from "./lib/prepare.mjs";
import { runScript } from "./lib/run-script.mjs";
import { serve } from "./lib/serve.mjs";

/** `npm run dev`: the service with pages and routes compiled as they change. */
await runScript(async (ending) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const database = await openDatabase(root);
  ending.add(() => database.stop());
  await serve({ root, dev: true, ending });
});
