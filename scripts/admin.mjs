import { fileURLToPath } from "node:url";
import { openAdmin } from "./setup/open-admin.mjs";
import { shutdownOnSignals } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/** `npm run -s admin -- …`: the operator's command. stdout gets one JSON object and nothing else. */
const shutdown = shutdownOnSignals();
let code = 1;
try {
  const { main } = await openAdmin(fileURLToPath(new URL("..", import.meta.url)), shutdown.add);
  code = await main(process.argv.slice(2));
} catch (error) {
  const isSetup = error instanceof SetupError;
  if (isSetup && error.details) console.error(error.details);
  else if (!isSetup) console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ error: isSetup ? "SETUP_FAILED" : "INTERNAL_ERROR", message })}\n`);
}
await shutdown.run();
// Its connections would keep the process for another minute.
process.exitCode = code;
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);
