import { expect, test } from "vitest";
import { shutdownOnSignals } from "./run-script.mjs";

function world() {
  /** @type {Map<string, (name: string, number: number) => unknown>} */
  const listeners = new Map();
  /** @type {number[]} */
  const exits = [];
  let time = 0;
  const shutdown = shutdownOnSignals({
    on: (name, listener) => listeners.set(name, listener),
    exit: (code) => void exits.push(code),
    now: () => time,
  });
  return {
    shutdown,
    exits,
    /** @param {"SIGINT" | "SIGTERM"} name @param {number} at */
    signal(name, at) {
      time = at;
      return listeners.get(name)?.(name, name === "SIGINT" ? 2 : 15);
    },
  };
}

test("one Ctrl-C that comes several times, from terminal, npm and shell, is one stop", async () => {
  const { shutdown, exits, signal } = world();
  let closed = 0;
  /** @type {() => void} */
  let finish = () => {};
  shutdown.add(() => {
    closed++;
    return new Promise((resolve) => {
      finish = () => resolve(undefined);
    });
  });
  const stopping = signal("SIGINT", 0);
  signal("SIGINT", 1);
  signal("SIGTERM", 40);
  expect([closed, exits]).toEqual([1, []]);
  finish();
  await stopping;
  expect(exits).toEqual([0]);
});

test("a second Ctrl-C ends it at once, so does the first while nothing is to close", () => {
  const { shutdown, exits, signal } = world();
  signal("SIGTERM", 0);
  expect(exits).toEqual([143]);
  shutdown.add(() => new Promise(() => {}));
  signal("SIGINT", 1_000);
  signal("SIGINT", 1_900);
  expect(exits).toEqual([143, 130]);
});
