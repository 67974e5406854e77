import fc from "fast-check";
import { expect, test } from "vitest";
import { inKeyOrder, keyOrderOf, keyOrderOfText } from "@/lib/model/agent-config/key-order";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** A value as `jsonb` gives it back: shorter keys first, and of one length by their letters. */
function asJsonb(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(asJsonb);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).toSorted(
    (left, right) => left.length - right.length || (left < right ? -1 : 1),
  );
  return Object.fromEntries(keys.map((key) => [key, asJsonb(value[key] as JsonValue)]));
}

const TEXT = `version: 1
inputs:
  type: object
  properties:
    question: { type: string, description: What to ask }
    file: { type: string }
    a: { type: string }
  required: [question]
tools:
  http:
    - { name: look, method: GET, url: "https://x.example" }
`;

test("a config is given back in the order of its text, whatever the database made of it", () => {
  const written = {
    version: 1,
    inputs: {
      type: "object",
      properties: {
        question: { type: "string", description: "What to ask" },
        file: { type: "string" },
        a: { type: "string" },
      },
      required: ["question"],
    },
    tools: { http: [{ name: "look", method: "GET", url: "https://x.example" }] },
  };
  const order = JSON.parse(JSON.stringify(keyOrderOfText(TEXT)));
  expect(JSON.stringify(asJsonb(written))).not.toBe(JSON.stringify(written));
  expect(JSON.stringify(inKeyOrder(asJsonb(written), order))).toBe(JSON.stringify(written));
});

test("an order of another state loses nothing and makes nothing up", () => {
  const order = keyOrderOf({ gone: 1, b: { y: 1, x: 2 }, a: [{ q: 1, p: 2 }] });
  const value = { a: [1, { p: 1 }], b: "text", c: { z: 1 } };
  expect(inKeyOrder(value, order)).toEqual(value);
  expect(Object.keys(inKeyOrder(value, order))).toEqual(["b", "a", "c"]);
  expect(inKeyOrder(value, null)).toBe(value);
  expect(keyOrderOfText("[unclosed")).toBeNull();
});

const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "file", "question"));
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(Object.fromEntries),
  ),
})).value;

test("what goes through the database comes back as it was, key for key", () => {
  fc.assert(
    fc.property(json, (value) => {
      const order = keyOrderOf(value);
      expect(JSON.stringify(inKeyOrder(asJsonb(value), order))).toBe(JSON.stringify(value));
    }),
  );
});
