import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { EXECUTED } from "./instrument.mjs";

// A set-up file of vitest in the copy of the project, whose sources are marked (instrument.mjs):
// each test file's process writes a line of what it has executed.

const out = process.env.MUTATION_RECORD;
/** @type {Set<string>} */
const executed = new Set();
Object.assign(globalThis, { [EXECUTED]: executed });
const began = Date.now();
afterAll(() => {
  const line = {
    test: expect.getState().testPath,
    ms: Date.now() - began,
    executed: [...executed],
  };
  if (out) appendFileSync(out, `${JSON.stringify(line)}\n`);
});
