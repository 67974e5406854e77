import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleAdmin } from "./lib/bundle-admin.mjs";
import { endOnSignals } from "./lib/end-on-signals.mjs";
import { migrate } from "./lib/migrate.mjs";
import { openDatabase } from "./lib/open-database.mjs";
import { prepare } from "./lib/prepare.mjs";
import { sayTo } from "./lib/say.mjs";
import { SetupError } from "./lib/setup-error.mjs";

/** `npm run -s admin -- …`: the operator's command. stdout gets one JSON object and nothing else. */
sayTo(process.stderr);
for (const name of ["log", "info", "debug"]) console[name] = console.error;

const ending = endOnSignals();
let code = 1;
try {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  process.env.NODE_ENV ||= "production";
  process.env.LOG_LEVEL ||= "silent";
  const database = await openDatabase(root);
  ending.add(() => database.stop());
  // The seam named in lib/admin/move-commands.ts: migrations are the scripts' own.
  globalThis[Symbol.for("lathe.migrate")] = (url) => migrate(url, { root });
  const { main } = await import(pathToFileURL(await bundleAdmin(root)).href);
  code = await main(process.argv.slice(2));
} catch (error) {
  if (error.details) console.error(error.details);
  else if (!(error instanceof SetupError)) console.error(error);
  const failure = { error: error instanceof SetupError ? "SETUP_FAILED" : "INTERNAL_ERROR", message: error.message };
  process.stdout.write(`${JSON.stringify(failure)}\n`);
}
await ending.run();
// Its connections would keep the process for another minute.
process.exitCode = code;
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);
