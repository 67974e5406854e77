import { say } from "./say.mjs";

/**
 * From now on SIGTERM and SIGINT run what was given to `add(close)`, the last first, and end the process: with 0, or, while nothing
 * was added yet, with the signal's usual code. A second signal ends it at once. `run()` does the same closing without a signal.
 */
export function endOnSignals() {
  const closers = [];
  let ended;
  const run = () => {
    ended ??= (async () => {
      for (const close of closers.toReversed()) await Promise.resolve(close()).catch((error) => console.error("While stopping:", error));
    })();
    return ended;
  };
  let signals = 0;
  const onSignal = async (_name, number) => {
    signals++;
    if (signals > 1 || closers.length === 0) process.exit(128 + number);
    say("Stopping …");
    await run();
    process.exit(0);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  return { add: (close) => closers.push(close), run };
}
