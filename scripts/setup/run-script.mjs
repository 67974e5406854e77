import { print } from "./progress.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {object} Shutdown
 * @property {(close: () => unknown) => void} add
 * @property {() => Promise<void>} run
 */

/**
 * From now on SIGTERM and SIGINT run what was given to `add(close)`, the last first, and end the
 * process: with 0, or, while nothing was added yet, with the signal's usual code. A second signal
 * ends it at once. `run()` does the same closing without a signal.
 * @returns {Shutdown}
 */
export function shutdownOnSignals() {
  /** @type {(() => unknown)[]} */
  const closers = [];
  /** @type {Promise<void> | undefined} */
  let ended;
  const run = () => {
    ended ??= (async () => {
      for (const close of closers.toReversed()) {
        try {
          await close();
        } catch (error) {
          console.error("While stopping:", error);
        }
      }
    })();
    return ended;
  };
  let signals = 0;
  /**
   * @param {string} _name
   * @param {number} number
   */
  const onSignal = async (_name, number) => {
    signals++;
    if (signals > 1 || closers.length === 0) process.exit(128 + number);
    print("Stopping …");
    await run();
    process.exit(0);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  return { add: (close) => void closers.push(close), run };
}

/**
 * Runs a script's `main(shutdown)`, with the signals held (see shutdownOnSignals); a SetupError is
 * shown as its one sentence with the failed tool's last lines, a SettingsError (of the service
 * itself: lib/env.ts, lib/server/serve.mjs) as its sentence, and the process ends with code 1.
 * @param {(shutdown: Shutdown) => Promise<unknown>} main
 */
export async function runScript(main) {
  const shutdown = shutdownOnSignals();
  try {
    await main(shutdown);
  } catch (error) {
    if (error instanceof SetupError) {
      console.error(`\n${error.message}`);
      if (error.details) console.error(error.details.replace(/^/gm, "    "));
    } else if (error instanceof Error && error.name === "SettingsError") {
      console.error(`\n${error.message}`);
    } else {
      console.error(error);
    }
    await shutdown.run();
    process.exit(1);
  }
}
