import "server-only";
import type { EngineEvent, EngineFunction, Steps } from "@/lib/engine/functions";

/** The app of functions that stand in for the service's. */
export const FAKE_APP = "fake";

/** A logger that keeps what functions throw to itself. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The data of a test's events: texts, unless it says otherwise. */
type Texts = Record<string, string>;

/** A function of a test's own, tried three times more where nothing else is said. */
export function testFunction<Data extends Record<string, unknown> = Texts>(
  options: Omit<EngineFunction, "retries" | "handler"> & { retries?: number },
  handler: (context: {
    event: Omit<EngineEvent, "data"> & { data: Data };
    step: Steps;
  }) => Promise<unknown>,
): EngineFunction {
  return {
    retries: 3,
    ...options,
    // What the test itself sends.
    handler: ({ event, step }) => handler({ event: { ...event, data: event.data as Data }, step }),
  };
}
