import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { JsonSchema } from "@/lib/model/json-schema/json-schema";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

const messages = (schema: unknown, value: unknown, prefix = "input") =>
  validateAgainst(schema as JsonSchema, value, prefix).map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe("validateAgainst", () => {
  it("names what is wrong, and where, behind the caller's prefix", () => {
    const schema = {
      type: "object",
      properties: {
        topic: { type: "string", minLength: 1 },
        count: { type: "integer", minimum: 1, maximum: 5 },
        tags: {
          type: "array",
          items: { type: "string", pattern: "^[a-z]+$" },
          maxItems: 2,
          uniqueItems: true,
        },
        kind: { enum: ["a", "b"] },
        mail: { type: "string", format: "email" },
      },
      required: ["topic"],
      additionalProperties: false,
    };
    expect(
      messages(schema, { topic: "x", count: 3, tags: ["a"], kind: "a", mail: "a@example.com" }),
    ).toEqual([]);
    expect(
      messages(schema, { count: 9, tags: ["a", "a", "B"], kind: "c", mail: "x", more: 1 }),
    ).toEqual([
      "input.topic: Is required.",
      "input.count: Must be at most 5.",
      "input.tags: Must have at most 2 items.",
      "input.tags: Must not hold the same item twice.",
      "input.tags.2: Must match the pattern ^[a-z]+$",
      'input.kind: Must be one of "a", "b".',
      "input.mail: Must be written as email.",
      "input.more: Is not a known property.",
    ]);
    expect(messages(schema, { topic: 5 })).toEqual(["input.topic: Must be a string."]);
    expect(messages(schema, { topic: "" }, "")).toEqual(["topic: Must not be empty."]);
    expect(messages(schema, [])).toEqual(["input: Must be an object."]);
    expect(messages({ type: ["integer", "null"] }, "x")).toEqual([
      "input: Must be an integer or null.",
    ]);
  });

  it.each([
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 0.1 }, 0.35, false],
    [{ multipleOf: 3 }, 1e20, true],
    [{ maxLength: 1 }, "😀", true],
    [{ minLength: 2 }, "😀", false],
    [{ const: { a: 1, b: [2] } }, { b: [2], a: 1 }, true],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [{ items: [{ type: "string" }], additionalItems: false }, ["a", 1], false],
    [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, ["a", 1], true],
    [{ contains: { type: "string" }, maxContains: 1 }, ["a", "b"], false],
    [{ contains: { type: "string" }, minContains: 0 }, [], true],
    [
      { patternProperties: { "^s_": { type: "string" } }, additionalProperties: false },
      { s_a: "x" },
      true,
    ],
    [
      { patternProperties: { "^s_": { type: "string" } }, additionalProperties: false },
      { n_a: "x" },
      false,
    ],
    [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, false],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, false],
    [{ dependencies: { a: { required: ["b"] } } }, { a: 1 }, false],
    [
      {
        if: { properties: { a: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ["b"] },
        else: { required: ["c"] },
      },
      { a: 1, b: 1 },
      true,
    ],
    [
      {
        if: { properties: { a: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ["b"] },
        else: { required: ["c"] },
      },
      { a: 2, b: 1 },
      false,
    ],
    [{ oneOf: [{ type: "number" }, { minimum: 2 }] }, 3, false],
    [{ not: { type: "string" } }, "x", false],
    [{ properties: { constructor: { type: "string" } } }, {}, true],
    [{ required: ["toString"] }, {}, false],
    [{ $ref: "#/$defs/a%20b~1c", $defs: { "a b/c": { type: "string" } } }, 1, false],
    [false, 1, false],
    [{ format: "date" }, "2026-02-29", false],
    [{ format: "date" }, "2028-02-29", true],
    [{ format: "date-time" }, "2026-01-31T23:59:60.5Z", true],
    [{ format: "date-time" }, "2026-01-31 25:00:00Z", false],
    [{ format: "time" }, "10:00:00+02:00", true],
    [{ format: "uri" }, "https://example.com/a?b#c", true],
    [{ format: "uri" }, "not a uri", false],
    [{ format: "ipv4" }, "10.0.0.256", false],
    [{ format: "ipv4" }, "10.0.0.1", true],
    [{ format: "hostname" }, "-a.example.com", false],
    [{ format: "email" }, "a..b@example.com", false],
    [{ format: "uuid" }, "0190163d-8694-739b-aea5-966c26f8ad91", true],
    [{ format: "nobody-knows-it" }, "x", true],
  ])("%j against %j fits: %j", (schema, value, expected) => {
    expect(checkSchema(schema)).toEqual([]);
    expect(messages(schema, value).length === 0).toBe(expected);
  });

  it("gives the verdict of a second, independent validator on any schema and value", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const text = JSON.stringify(schema);
        // Beside prefixItems the second validator lets an empty list pass contains, which the
        // standard does not.
        fc.pre(!text.includes('"prefixItems"') || !text.includes('"contains"'));
        expect(checkSchema(schema)).toEqual([]);
        expect(validateAgainst(schema as JsonSchema, value, "").length === 0).toBe(
          verdictOf(ajv, schema as JsonSchema, value),
        );
      }),
      { numRuns: 1_500 },
    );
  });

  // A reference to another document, into one, or back up through an id: never followed. The rest
  // the database cannot hold, or is not carried out.
  const REFUSED =
    /^(\$ref may point only into the same document|\$ref points at nothing|\$id is allowed at the top only|\$anchor is not supported|unevaluatedProperties is not supported|The text must not contain NUL|The key __proto__ is not allowed)/;

  it.each(officialGroups())(
    "gives the verdicts of the official test suite, or a refusal by name: $file, $description",
    ({ schema, tests }) => {
      const [issue] = checkSchema(schema);
      if (issue !== undefined) return expect(issue.message).toMatch(REFUSED);
      for (const { description, data, valid } of tests)
        expect(messages(schema, data).length === 0, description).toBe(valid);
    },
  );

  it("refuses few schemas of the official test suite", () => {
    const groups = officialGroups();
    expect(groups.length).toBeGreaterThan(280);
    expect(groups.filter(({ schema }) => checkSchema(schema).length > 0).length).toBeLessThan(25);
  });

  it("notes at most 20 violations, and short ones", () => {
    expect(
      messages(
        { items: { const: "x".repeat(10_000) } },
        Array.from({ length: 100 }, () => 1),
      ),
    ).toHaveLength(20);
    expect(messages({ const: "x".repeat(10_000) }, 1)[0]?.length).toBeLessThan(400);
  });

  const keyed = (size: number) =>
    Object.fromEntries(Array.from({ length: size }, (_, n) => [`a${n}`, n]));
  it.each<[string, object, number, (size: number) => unknown]>([
    [
      "references that double at each step",
      doubling(40),
      1_000,
      (size) => Array.from({ length: size }, () => 1),
    ],
    [
      "long lists of alternatives",
      { items: { anyOf: Array.from({ length: 2_000 }, (_, n) => ({ const: n })) } },
      12_500,
      (size) => Array.from({ length: size }, () => "x"),
    ],
    [
      "many parts over many properties",
      { allOf: Array.from({ length: 2_000 }, () => ({ minProperties: 1_000_000 })) },
      6_000,
      keyed,
    ],
    [
      "many patterns over many properties",
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 50 }, (_, n) => [`(a?){300}${n}`, {}]),
        ),
      },
      6_000,
      keyed,
    ],
    [
      "unique items in lists of lists",
      { allOf: Array.from({ length: 2_000 }, () => ({ uniqueItems: true })) },
      6_000,
      (size) => Array.from({ length: size }, (_, n) => [n]),
    ],
    [
      "a slow pattern over a long text",
      { pattern: "(.*)(.*)(.*)(.*)(.*)x" },
      30_000,
      (size) => "a".repeat(size),
    ],
  ])("gives up on %s, at a cost that does not outgrow the value", async (_, schema, size, make) => {
    expect(checkSchema(schema)).toEqual([]);
    await expectLinear(size, make, (value) => expect(messages(schema, value)).not.toEqual([]));
    const large = make(size * 8);
    expectShortSteps(function* () {
      messages(schema, large);
      yield;
    });
  });

  it("ends on a value that is nested without bound", () => {
    const schema = { $ref: "#/$defs/node", $defs: { node: { items: { $ref: "#/$defs/node" } } } };
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(messages(schema, value).join()).toContain("too much work");
    let fine: unknown = 1;
    for (let level = 0; level < 64; level += 1) fine = [fine];
    expect(messages(schema, fine)).toEqual([]);
  });
});

type OfficialGroup = {
  file: string;
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
};

/**
 * The groups of draft 2020-12 about the keywords that are carried out, one a line behind the
 * suite's licence.
 */
function officialGroups(): OfficialGroup[] {
  const text = readFileSync(new URL("test/draft2020-12.jsonl", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
}

/**
 * The second validator writes code, which on some odd schemas uses variables that are not there:
 * then it has no verdict.
 */
function verdictOf(ajv: Ajv2020, schema: JsonSchema, value: unknown): boolean {
  try {
    return ajv.validate(schema, value);
  } catch (error) {
    fc.pre(!(error instanceof ReferenceError || error instanceof TypeError));
    throw error;
  }
}

function doubling(steps: number) {
  const $defs: Record<string, unknown> = { d0: { type: "number" } };
  for (let step = 1; step <= steps; step += 1)
    $defs[`d${step}`] = {
      allOf: [{ $ref: `#/$defs/d${step - 1}` }, { $ref: `#/$defs/d${step - 1}` }],
    };
  return { items: { $ref: `#/$defs/d${steps}` }, $defs };
}

const name = fc.constantFrom("a", "b", "c");
const plain = fc.constantFrom(null, true, false, 0, 1, 2, -1, 1.5, "", "a", "ab", "b1");
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    plain,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => {
  const schemas = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(name, tie("schema"), { maxKeys: 2, noNullPrototype: true });
  const count = fc.integer({ min: 0, max: 2 });
  const names = fc.uniqueArray(name, { maxLength: 2 });
  const keyword = fc.oneof(
    fc
      .constantFrom("null", "boolean", "number", "integer", "string", "array", "object", [
        "string",
        "null",
      ])
      .map((type) => ({ type })),
    fc.record({ minimum: count }),
    fc.record({ exclusiveMaximum: count }),
    fc.constantFrom(
      { multipleOf: 2 },
      { multipleOf: 0.5 },
      { pattern: "^a" },
      { pattern: "\\d$" },
      { uniqueItems: true },
    ),
    fc.record({ minLength: count }),
    fc.record({ maxLength: count }),
    fc.record({ minItems: count }),
    fc.record({ maxItems: count }),
    fc.record({ minProperties: count }),
    fc.record({ maxProperties: count }),
    fc.record({ required: names }),
    fc.record({
      dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
    }),
    fc.record({
      enum: fc.uniqueArray(anyValue, {
        minLength: 1,
        maxLength: 3,
        selector: (item) => JSON.stringify(item),
      }),
    }),
    fc.record({ const: anyValue }),
    fc.record({ properties: map }),
    fc.record({ dependentSchemas: map }),
    fc.record({
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b|c"), tie("schema"), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
    fc.record({ additionalProperties: tie("schema") }),
    fc.record({ propertyNames: tie("schema") }),
    fc.record({ items: tie("schema") }),
    fc.record({ prefixItems: schemas }),
    fc.record({ contains: tie("schema") }),
    fc.record({
      contains: tie("schema"),
      minContains: fc.integer({ min: 0, max: 1 }),
      maxContains: fc.integer({ min: 1, max: 2 }),
    }),
    fc.record({ allOf: schemas }),
    fc.record({ anyOf: schemas }),
    fc.record({ oneOf: schemas }),
    fc.record({ not: tie("schema") }),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
    fc.record({ properties: map, additionalProperties: tie("schema") }),
  );
  const merged = fc.tuple(keyword, keyword).map(([first, second]) => ({ ...first, ...second }));
  return { schema: fc.oneof({ maxDepth: 3, depthSize: "small" }, fc.boolean(), keyword, merged) };
});
