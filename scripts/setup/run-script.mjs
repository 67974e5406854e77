import { surviveLostOutput } from "../../lib/platform/lost-output.mjs";
import { print } from "./progress.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {object} Shutdown
 * @property {(close: () => unknown) => void} add
 * @property {() => Promise<void>} run
 */

/**
 * A terminal's Ctrl-C reaches every process of its group, and npm and the shell of another Node.js
 * (on-supported-node.mjs) hand on what they got, as a service manager signals all of them: what
 * comes within this time is the same wish.
 */
const SAME_SIGNAL_MS = 500;

/**
 * From now on SIGTERM and SIGINT run what was given to `add(close)`, the last first, and end the
 * process: with 0, or, while nothing was added yet, with the signal's usual code. A second signal,
 * half a second after the first or later, ends it at once. `run()` does the same closing without a
 * signal.
 * @param {{
 *   on?: (
 *     name: "SIGTERM" | "SIGINT",
 *     listener: (name: string, number: number) => unknown,
 *   ) => unknown,
 *   exit?: (code: number) => void,
 *   now?: () => number,
 * }} [process_] for tests
 * @returns {Shutdown}
 */
export function shutdownOnSignals({
  on = (name, listener) => process.on(name, listener),
  exit = process.exit,
  now = () => performance.now(),
} = {}) {
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
  /** @type {number | undefined} */
  let first;
  /**
   * @param {string} _name
   * @param {number} number
   */
  const onSignal = async (_name, number) => {
    if (closers.length === 0) return exit(128 + number);
    if (first !== undefined) {
      if (now() - first >= SAME_SIGNAL_MS) exit(128 + number);
      return;
    }
    first = now();
    print("Stopping …");
    await run();
    exit(0);
  };
  on("SIGTERM", onSignal);
  on("SIGINT", onSignal);
  return { add: (close) => void closers.push(close), run };
}

/**
 * Runs a script's `main(shutdown)`, with the signals held (see shutdownOnSignals); a SetupError is
 * shown as its one sentence with the failed tool's last lines, a SettingsError (of the service
 * itself: lib/env.ts, lib/server/serve.mjs) as its sentence, and the process ends with code 1.
 * @param {(shutdown: Shutdown) => Promise<unknown>} main
 */
export async function runScript(main) {
  surviveLostOutput();
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
