import { expect, test } from "vitest";
import { z } from "zod";
import { parseWith } from "@/lib/api/http/parse-with";
import type { ServiceError } from "@/lib/model/errors";

/** The details of the refusal, and its message; null when the value is taken. */
function refusalOf(schema: z.ZodType, value: unknown, examples: unknown[] = []) {
  try {
    parseWith(schema, value, { examples });
    return null;
  } catch (error) {
    const { code, message, extras } = error as ServiceError; // nothing else is thrown
    return { code, message, details: extras.details };
  }
}

/** What is said of one place named `it`. */
function saidOf(it: z.ZodType, value: unknown, examples: unknown[] = []): string | undefined {
  const refusal = refusalOf(
    z.object({ it }),
    { it: value },
    examples.map((example) => ({ it: example })),
  );
  return refusal?.message.replace(/^it: /, "");
}

test("a refusal names each broken place by path, in order, or the whole body", () => {
  const schema = z.strictObject({ a: z.object({ list: z.array(z.string()) }), b: z.boolean() });
  expect(refusalOf(schema, { a: { list: ["x", 1, 2] }, b: "no", c: 1 })).toEqual({
    code: "INVALID_INPUT",
    message:
      "a.list.1: must be a text; a.list.2: must be a text; b: must be true or false; c: is not a " +
      "property of this request, which takes a, b",
    details: [
      { path: "a.list.1", message: "must be a text" },
      { path: "a.list.2", message: "must be a text" },
      { path: "b", message: "must be true or false" },
      { path: "c", message: "is not a property of this request, which takes a, b" },
    ],
  });
  expect(refusalOf(z.object({ a: z.string() }), [])).toEqual({
    code: "INVALID_INPUT",
    message: "The body must be an object",
    details: [{ path: "", message: "must be an object" }],
  });
  expect(parseWith(schema, { a: { list: ["x"] }, b: false })).toEqual({
    a: { list: ["x"] },
    b: false,
  });
});

test("of many broken places the first twenty are named", () => {
  const names = Array.from({ length: 25 }, (_, index) => `p${index}`);
  const paths = (schema: z.ZodType, value: unknown) => {
    const { details } = refusalOf(schema, value) ?? {};
    return Array.isArray(details) ? details.map(({ path }) => path) : details;
  };
  expect(paths(z.array(z.string()), names.map(Number))).toEqual(
    names.slice(0, 20).map((_, index) => String(index)),
  );
  expect(paths(z.strictObject({}), Object.fromEntries(names.map((name) => [name, 1])))).toEqual(
    names.slice(0, 20),
  );
});

test("a name of 80 characters is shown whole, a longer one cut, wherever it stands", () => {
  const [whole, cut] = ["n".repeat(80), `m${"n".repeat(80)}`];
  const said = "is not a property of this request";
  expect(refusalOf(z.strictObject({}), { [whole]: 1, [cut]: 1 })?.details).toEqual([
    { path: whole, message: said },
    { path: `m${"n".repeat(79)}…`, message: said },
  ]);
  expect(refusalOf(z.record(z.string(), z.string()), { [cut]: 1 })?.message).toBe(
    `m${"n".repeat(79)}…: must be a text`,
  );
});

const letters = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

test.each<[string, z.ZodType, unknown, string | undefined]>([
  ["a choice of thirty", z.enum(letters(30)), "x", `must be one of ${letters(30).join(", ")}`],
  ["a choice of more", z.enum(letters(31)), "x", `must be one of ${letters(30).join(", ")}, …`],
  ["a choice that is missing", z.enum(["a", "b"]), undefined, "is missing: it must be one of a, b"],
  ["a uuid", z.uuid(), "x", "must be an id: a UUID in lower case"],
  ["an address", z.url(), "x", "must be an address, such as https://example.com/path"],
  ["an e-mail address", z.email(), "x", "must be an e-mail address"],
  ["a time", z.iso.datetime(), "x", "must be a time, such as 2026-01-31T09:30:00Z"],
  ["another form", z.string().regex(/^a+$/), "x", "does not have the right form"],
  [
    "another form with an example in the schema",
    z.string().regex(/^a+$/).meta({ example: "aa" }),
    "x",
    'does not have the right form, such as "aa"',
  ],
  ["a multiple", z.number().multipleOf(5), 7, "must be a multiple of 5"],
  ["a whole number", z.number().int(), 1.5, "must be a whole number"],
  ["a number up to another", z.number().max(5), 6, "must be at most 5"],
  ["a text up to a length", z.string().max(2), "abc", "must have at most 2 characters"],
  ["a list from a length", z.array(z.string()).min(2), ["a"], "must have at least 2 items"],
  ["a set", z.set(z.string()).min(2), new Set(["a"]), "must have at least 2 items"],
  ["a map", z.map(z.string(), z.string()).min(1), new Map(), "must have at least 1 item"],
  ["a record's name", z.record(z.string().regex(/^a/), z.string()), { b: "x" }, undefined],
  ["an object", z.object({}), 1, "must be an object"],
  ["a record", z.record(z.string(), z.string()), 1, "must be an object"],
  ["nothing", z.null(), 1, "must be null"],
  ["a kind without a word of ours", z.bigint(), 1, "must be a bigint"],
  ["a text that is missing", z.string(), undefined, "is missing: it must be a text"],
  [
    "a sentence of the schema's own for what is missing",
    z.string("needs a text"),
    undefined,
    "needs a text",
  ],
  [
    "a sentence of the schema's own",
    z.string().refine(() => false, "has to rhyme"),
    "x",
    "has to rhyme",
  ],
  [
    "what may be missing",
    z
      .string()
      .optional()
      .refine(() => false, "must rhyme"),
    undefined,
    "must rhyme",
  ],
  ["a number above another", z.number().gt(5), 5, "must be more than 5"],
  ["a number below another", z.number().lt(5), 5, "must be less than 5"],
  ["one of two forms", z.union([z.string(), z.number()]), true, "must be a text, or a number"],
  [
    "one of two forms that say the same",
    z.union([z.object({ a: z.string() }), z.object({ a: z.string() })]),
    {},
    "a must be a text",
  ],
  [
    "one of two objects, of each the first fault",
    z.union([
      z.object({ a: z.object({ b: z.string() }), c: z.string() }),
      z.object({ d: z.number() }),
    ]),
    { a: {} },
    "a.b must be a text, or d must be a number",
  ],
  ["one of no forms", z.union([]), true, "has none of the forms that it may have"],
])("of %s is said exactly what it takes", (what, schema, value, sentence) => {
  if (sentence === undefined)
    expect(refusalOf(schema, value)?.message, what).toBe("b: has a name that is not allowed");
  else expect(saidOf(schema, value), what).toBe(sentence);
});

test("an input, inputs and metadata are named as what they are, other objects are not", () => {
  const record = z.record(z.string(), z.string());
  const schema = z.object({
    input: record,
    inputs: record,
    metadata: record,
    other: record,
    nested: z.object({ input: z.object({}) }),
  });
  expect(
    refusalOf(schema, { input: 1, inputs: 1, metadata: 1, other: 1, nested: { input: 1 } })
      ?.message,
  ).toBe(
    "input: must be an object of named inputs; inputs: must be an object of named inputs; " +
      "metadata: must be an object of names and texts; other: must be an object; nested.input: " +
      "must be an object",
  );
});

test("an example is the first there, of a body the shortest, of 160 characters", () => {
  const it = z.string();
  expect(saidOf(it, 1, [undefined, null, "first", "x"])).toBe('must be a text, such as "first"');
  expect(saidOf(it, 1, ["e".repeat(158)])).toBe(`must be a text, such as "${"e".repeat(158)}"`);
  expect(saidOf(it, 1, ["e".repeat(159)])).toBe("must be a text");
  expect(saidOf(z.string().meta({ example: "mine" }), 1)).toBe('must be a text, such as "mine"');
  expect(saidOf(z.string().meta({ example: "mine" }), 1, ["theirs"])).toBe(
    'must be a text, such as "theirs"',
  );
  expect(saidOf(z.string("must be a text, such as this"), 1, ["other"])).toBe(
    "must be a text, such as this",
  );
  expect(saidOf(z.enum(["a", "b"]), 1, ["a"])).toBe("must be one of a, b");
  const whole = refusalOf(z.object({ a: z.string() }), 1, [
    { a: "long one" },
    { a: "short" },
    { a: "longest of all" },
  ]);
  expect(whole?.message).toBe('The body must be an object, such as {"a":"short"}');
  // What every object inherits is nothing that an example has.
  expect(refusalOf(z.object({ toString: z.string() }), { toString: 1 }, [{}])?.message).toBe(
    "toString: must be a text",
  );
  expect(
    refusalOf(z.object({ a: z.object({ b: z.string() }) }), { a: { b: 1 } }, [
      "text",
      { a: null },
      { a: { b: "deep" } },
    ])?.message,
  ).toBe('a.b: must be a text, such as "deep"');
});

const inner = z.strictObject({ title: z.string().optional(), colour: z.string().optional() });
test.each<[string, z.ZodType, unknown, string]>([
  ["optional", z.object({ it: inner.optional() }), { it: { titel: 1 } }, "it.titel"],
  ["nullable", z.object({ it: inner.nullable() }), { it: { titel: 1 } }, "it.titel"],
  ["default", z.object({ it: inner.default({}) }), { it: { titel: 1 } }, "it.titel"],
  ["piped", z.object({ it: inner.transform((value) => value) }), { it: { titel: 1 } }, "it.titel"],
  ["in a list", z.object({ it: z.array(inner) }), { it: [{}, { titel: 1 }] }, "it.1.titel"],
  ["in a record", z.record(z.string(), inner), { any: { titel: 1 } }, "any.titel"],
  [
    "below one of several objects",
    z.object({ it: z.union([z.string(), inner]).optional() }),
    { it: { titel: 1 } },
    "it.titel",
  ],
])("the property that was meant is found below what is %s", (what, schema, value, path) => {
  expect(refusalOf(schema, value)?.message, what).toBe(
    `${path}: is not a property of this request: did you mean title?`,
  );
});

const saidOfName = (known: string[], given: string) =>
  refusalOf(
    z.strictObject(Object.fromEntries(known.map((name) => [name, z.unknown().optional()]))),
    { [given]: 1 },
  )?.message.replace(/^.*?: is not a property of this request/, "");

test.each<[string[], string, string]>([
  // The same words, joined otherwise, before what is only near.
  [["agent_ids", "agent_id"], "agentId", ": did you mean agent_id?"],
  [["titles", "name"], "TITLES", ": did you mean titles?"],
  // Names of other services, before what is only near.
  [["queries", "input"], "query", ": did you mean input?"],
  [["inputs"], "messages", ": did you mean inputs?"],
  [["max_credits"], "budget", ": did you mean max_credits?"],
  [["metadata"], "tags", ": did you mean metadata?"],
  [["webhookUrl"], "callback_url", ": did you mean webhookUrl?"],
  // Moved names.
  [["agent_id"], "appId", ": name the agent in agent_id"],
  [["other"], "appId", ": name the agent in agent_id"],
  [["app_id"], "appId", ": did you mean app_id?"],
  [["other"], "inputs", ": put the named inputs into input"],
  [
    ["skill_ids"],
    "skills",
    ": a run sees the account's enabled skills; switch them at /v1/skills, or write them into " +
      "the agent's own skill_content (agent_id)",
  ],
  // Near: one letter more, less or other, two exchanged, the beginning or the end.
  [["title"], "ttitle", ": did you mean title?"],
  [["title"], "itle", ": did you mean title?"],
  [["title"], "title2", ": did you mean title?"],
  [["title"], "tit", ": did you mean title?"],
  [["title"], "tle", ": did you mean title?"],
  [["title"], "my_title", ": did you mean title?"],
  [["title"], "titleText", ": did you mean title?"],
  [["title"], "itlte", ", which takes title"],
  [["title"], "tlite", ", which takes title"],
  [["title"], "titxe", ": did you mean title?"],
  [["title"], "tixxe", ", which takes title"],
  [["title"], "xitlx", ", which takes title"],
  [["title"], "ittle", ": did you mean title?"],
  [["title"], "titel", ": did you mean title?"],
  [["abc"], "xbc", ": did you mean abc?"],
  [["abcd"], "abyz", ", which takes abcd"],
  [["abcd"], "abc", ": did you mean abcd?"],
  [["aab"], "aaab", ": did you mean aab?"],
  [["aaab"], "aab", ": did you mean aaab?"],
  // Too short to be near to anything.
  [["ab"], "abc", ", which takes ab"],
  [["abc"], "ab", ", which takes abc"],
  [["ab"], "aab", ", which takes ab"],
  [[], "title", ""],
  [
    letters(31).map((name) => `${name}_`),
    "unlike",
    `, which takes ${letters(30)
      .map((name) => `${name}_`)
      .join(", ")}`,
  ],
])("among %j a property %s is answered with%s", (known, given, said) => {
  expect(saidOfName(known, given)).toBe(said);
});
