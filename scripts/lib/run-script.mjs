import { endOnSignals } from "./end-on-signals.mjs";
import { SetupError } from "./setup-error.mjs";

/** Runs a script's `main(ending)`, with the signals held (see endOnSignals); a SetupError is shown as its one sentence with the failed tool's last lines, and the process ends with code 1. */
export async function runScript(main) {
  const ending = endOnSignals();
  try {
    await main(ending);
  } catch (error) {
    if (error instanceof SetupError) {
      console.error(`\n${error.message}`);
      if (error.details) console.error(error.details.replace(/^/gm, "    "));
    } else {
      console.error(error);
    }
    await ending.run();
    process.exit(1);
  }
}
