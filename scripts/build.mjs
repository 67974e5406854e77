import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/** `npm run build`: all that `npm start` would set up, so that it has nothing left to do but to serve. */
await runScript(async () => {
  await prepare({ root: fileURLToPath(new URL("..", import.meta.url)) });
  print("Built. npm start serves it.");
});
