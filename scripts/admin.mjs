import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { openAdmin } from "./setup/open-admin.mjs";
import { shutdownOnSignals } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run -s admin -- …`: the operator's command. stdout gets one JSON object and nothing else.
 */
const shutdown = shutdownOnSignals();
let code = 1;
try {
  const words = process.argv.slice(2);
  // Of three words at most none is the value of a flag; without any the answer is which commands
  // there are.
  const isHelp =
    words.length === 0 ||
    (words.length <= 3 && words.some((word) => ["help", "--help", "-h"].includes(word)));
  const admin = await openAdmin(fileURLToPath(new URL("..", import.meta.url)), shutdown.add, {
    withDatabase: !isHelp,
  });
  if (isHelp) {
    const help = await admin.answer(words);
    process.stdout.write(help.output);
    code = help.code;
  } else code = await admin.main(words);
} catch (error) {
  const isSetup = error instanceof SetupError;
  if (isSetup && error.details) console.error(error.details);
  else if (!isSetup) console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(
    `${JSON.stringify({ error: isSetup ? "SETUP_FAILED" : "INTERNAL_ERROR", message })}\n`,
  );
}
await shutdown.run();
// Its connections would keep the process for another minute.
process.exitCode = code;
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);
