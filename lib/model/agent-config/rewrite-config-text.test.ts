import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import {
  configToText,
  parseConfigText,
  rewriteConfigText,
} from "@/lib/model/agent-config/config-text";

const OLD = `# My agent
starters:
  # shown in the console
  - First # the best
  # the second
  - Second
version: 1

# Spend little
limits:
  max_steps: 20   # turns
  timeout_seconds: 0x258
tools:
  builtin: [todo, artifacts] # no web
  http:
    # Opens tickets
    - name: open
      method: POST
      url: "https://example.com/tickets"
    # Closes tickets
    - name: close
      method: DELETE
      url: 'https://example.com/tickets/{id}'
inputs:
  type: object
  description: |
    Two
    lines
`;

const read = (text: string): AgentConfig => {
  const parsed = parseConfigText(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
};

describe("rewriteConfigText", () => {
  it("leaves a text alone that says the config already", () => {
    expect(rewriteConfigText(OLD, read(OLD))).toBe(OLD);
    const windows = OLD.replaceAll("\n", "\r\n");
    expect(rewriteConfigText(windows, read(windows))).toBe(windows);
  });

  it("changes one value and keeps every comment and the order of keys", () => {
    const config = read(OLD);
    const text = rewriteConfigText(OLD, { ...config, limits: { ...config.limits, max_steps: 7 } });
    expect(text).toBe(OLD.replace("max_steps: 20   # turns", "max_steps: 7   # turns"));
  });

  it("keeps comments with the items they stand at when others come, go or move", () => {
    const config = read(OLD);
    const [open, close] = config.tools?.http ?? [];
    if (!open || !close) throw new Error("The sample has two tools.");
    const fetch = { name: "fetch", method: "GET" as const, url: "https://example.com/x" };
    const text = rewriteConfigText(OLD, {
      ...config,
      starters: ["New", "Second"],
      tools: { ...config.tools, http: [fetch, { ...close, description: "Ends it" }] },
    });
    expect(text).toContain(
      "# Closes tickets\n    - name: close\n      method: DELETE\n" +
        "      url: 'https://example.com/tickets/{id}'\n      description: Ends it",
    );
    expect(text).toContain("  # the second\n  - Second");
    expect(text).toContain("builtin: [todo, artifacts] # no web");
    expect(read(text).tools?.http).toEqual([fetch, { ...close, description: "Ends it" }]);
  });

  const set = (config: object, path: (string | number)[], value: unknown) => {
    const copy = structuredClone(config) as AgentConfig; // the same shape
    let place: Record<string | number, unknown> = copy;
    for (const key of path.slice(0, -1)) place = place[key] as typeof place; // the test's own paths
    const last = path.at(-1) ?? "";
    if (value !== undefined) place[last] = value;
    else if (Array.isArray(place)) place.splice(Number(last), 1);
    else delete place[last];
    return copy;
  };

  it.each<[string, (string | number)[], unknown, string, string]>([
    [
      "a plain value",
      ["limits", "max_steps"],
      7,
      "max_steps: 20   # turns",
      "max_steps: 7   # turns",
    ],
    [
      "a quoted text",
      ["tools", "http", 1, "url"],
      "https://example.com/{x}",
      "'https://example.com/tickets/{id}'",
      "'https://example.com/{x}'",
    ],
    [
      "an item of a flow list",
      ["tools", "builtin", 1],
      "web_fetch",
      "[todo, artifacts] # no",
      "[todo, web_fetch] # no",
    ],
    [
      "a new item of a flow list",
      ["tools", "builtin", 2],
      "web_fetch",
      "artifacts] #",
      "artifacts, web_fetch] #",
    ],
    [
      "an item that goes from a flow list",
      ["tools", "builtin", 0],
      undefined,
      "[todo, artifacts] #",
      "[artifacts] #",
    ],
    ["a new key", ["limits", "max_credits"], 5, "0x258\n", "0x258\n  max_credits: 5\n"],
    ["a key that goes", ["limits", "timeout_seconds"], undefined, "  timeout_seconds: 0x258\n", ""],
    [
      "an item that goes from a list",
      ["starters", 1],
      undefined,
      "  # the second\n  - Second\n",
      "",
    ],
    [
      "the first item that goes, and not what is said about all",
      ["starters", 0],
      undefined,
      "  - First # the best\n",
      "",
    ],
    ["a new item", ["starters", 2], "Third", "  - Second\n", "  - Second\n  - Third\n"],
    [
      "a map that goes with what is said of it",
      ["limits"],
      undefined,
      OLD.slice(OLD.indexOf("# Spend"), OLD.indexOf("tools:")),
      "",
    ],
    [
      "a list in place of a null",
      ["inputs", "required"],
      ["a"],
      "    lines\n",
      "    lines\n  required:\n    - a\n",
    ],
    [
      "a text of several lines",
      ["inputs", "description"],
      "One\nmore",
      "|\n    Two\n    lines\n",
      "|-\n    One\n    more\n",
    ],
  ])("changes %s, and not a byte beside it", (_what, path, value, before, after) => {
    expect(OLD.split(before)).toHaveLength(2);
    const text = rewriteConfigText(OLD, set(read(OLD), path, value));
    expect(text).toBe(OLD.replace(before, after));
    const windows = rewriteConfigText(OLD.replaceAll("\n", "\r\n"), set(read(OLD), path, value));
    expect(windows).toBe(OLD.replace(before, after).replaceAll("\n", "\r\n"));
  });

  it("leaves every line alone that a change is not about, in any spacing or comments", () => {
    fc.assert(
      fc.property(oddText, fc.constantFrom(...CHANGES), (source, { path, value, lines }) => {
        const text = rewriteConfigText(source, set(read(source), path, value));
        expect(read(text)).toEqual(set(read(source), path, value));
        const [old, now] = [source.split("\n"), text.split("\n")];
        const [first, last] = [common(old, now), common(old.toReversed(), now.toReversed())];
        expect(old.length - first - last).toBeLessThanOrEqual(lines);
      }),
      { numRuns: 600 },
    );
  });

  it("writes a text that cannot be read anew", () => {
    expect(rewriteConfigText("a: [", { version: 1, starters: ["x"] })).toBe(
      "version: 1\nstarters:\n  - x\n",
    );
    expect(rewriteConfigText("", { version: 1 })).toBe("version: 1\n");
    expect(rewriteConfigText("[".repeat(100_000), { version: 1 })).toBe("version: 1\n");
  });

  it("says exactly the config, whatever the old text and the config are", () => {
    fc.assert(
      fc.property(
        anyConfig,
        anyConfig,
        fc.constantFrom(configToText, JSON.stringify, () => OLD),
        (old, config, write) => {
          expect(checkAgentConfig(config).ok).toBe(true);
          const text = rewriteConfigText(write(old), config);
          expect(read(text)).toEqual(config);
          expect(read(configToText(config))).toEqual(config);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("fits the limit of a text even when the config is as large as can be", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [
        `p${index}`,
        { enum: Array.from({ length: 20 }, (_, n) => `v${n}`) },
      ]),
    );
    const base: AgentConfig = {
      version: 1,
      inputs: { type: "object", properties },
      starters: Array.from({ length: 20 }, () => "ü\u0085\u2028 x"),
    };
    const http = Array.from({ length: 50 }, (_, index) => ({
      name: `t${index}`,
      method: "GET" as const,
      url: "https://example.com",
      description: "d".repeat(1_000),
      input_schema: {
        properties: {
          nested: {
            properties: {
              deep: { properties: { deeper: { enum: Array.from({ length: 60 }, (_, n) => n) } } },
            },
          },
        },
      },
    }));
    const config: AgentConfig = { ...base, tools: { http } };
    expect(checkAgentConfig(config).ok).toBe(true);
    expect(read(configToText(config))).toEqual(config);
    expect(read(rewriteConfigText(OLD, config))).toEqual(config);
  });
});

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .map((value) => value.replaceAll("\0", "")),
  fc.constantFrom(
    "#",
    ": ",
    "- a",
    "null",
    "1",
    "0x1",
    "~",
    "true",
    " x ",
    "a\nb\n",
    "\n\n",
    "a: b # c",
    "'",
    '"',
    "|",
    ">",
    "%",
    "@",
    "&a",
    "*a",
    "!a",
    "---",
    "...",
    "\t",
    "<<",
    "\r\n",
    "\u0085",
    "\ufeff",
    "é\u2028",
    "x".repeat(2_000),
    "a ".repeat(300),
  ),
);
const nonEmpty = text.filter((value) => value.length > 0 && value.length <= 500);
const key = text.filter((value) => !["__proto__", "$ref", "$id", "type"].includes(value));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, true, false, 0, 1.5, 1e21, -7, 1e-7),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const schema = fc.record(
  {
    type: fc.constant("object"),
    default: json,
    examples: fc.array(json, { maxLength: 2 }),
    title: text,
    properties: fc.dictionary(
      key,
      fc.record({ description: text, const: json }, { requiredKeys: [] }),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: [] },
);
const anyConfig: fc.Arbitrary<AgentConfig> = fc.record(
  {
    version: fc.constant(1 as const),
    model: nonEmpty
      .map((value) => value.slice(0, 200))
      .filter((value) => !/[\ud800-\udfff]/u.test(value)),
    inputs: fc.oneof(schema, fc.constant(null)),
    output_schema: fc.oneof(schema, fc.constant(null)),
    starters: fc.array(nonEmpty, { maxLength: 4 }),
    limits: fc.record(
      {
        max_steps: fc.integer({ min: 1, max: 500 }),
        max_credits: fc.constantFrom(null, 0.5, 1e-7, 1e9),
      },
      { requiredKeys: [] },
    ),
    tools: fc.record(
      {
        builtin: fc.uniqueArray(fc.constantFrom("todo" as const, "web_fetch" as const)),
        http: fc.uniqueArray(
          fc.record({
            name: fc.constantFrom("a", "b", "c"),
            method: fc.constantFrom("GET" as const, "POST" as const),
            url: fc.constant("https://example.com/"),
            description: text
              .map((value) => value.slice(0, 600))
              .filter((value) => !/[\ud800-\udfff]/u.test(value)),
          }),
          { selector: ({ name }) => name, maxLength: 3 },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["version"] },
);

const common = (left: string[], right: string[]) => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) if (left[index] !== right[index]) return index;
  return length;
};

/** The same config in many spellings: blank lines, comments, spaces, indentation, quotes. */
const oddText = fc
  .record({
    gaps: fc.array(fc.constantFrom("", "\n", "# note\n", "\n# a: b\n\n"), {
      minLength: 5,
      maxLength: 5,
    }),
    space: fc.constantFrom(" ", "  ", "    "),
    tail: fc.constantFrom("", " # why", "   # x: [1]"),
    indent: fc.constantFrom(2, 3, 4),
    quote: fc.constantFrom("", "'", '"'),
    flow: fc.constantFrom("[todo, artifacts]", "[ todo,artifacts ]", "[ 'todo' , artifacts ]"),
    end: fc.constantFrom("\n", "", "\n\n# the end\n"),
  })
  .map(({ gaps: [a, b, c, d, e], space, tail, indent, quote, flow, end }) => {
    const pad = " ".repeat(indent);
    return (
      `${a}version:${space}1${tail}\n${b}starters:${tail}\n` +
      `${pad}-${space}${quote}First${quote}${tail}\n${pad}# two\n${pad}-${space}Second\n` +
      `${c}limits:\n` +
      `${pad}max_steps:${space}20${tail}\n${pad}# time\n${pad}timeout_seconds:${space}60\n` +
      `${d}tools:\n${pad}builtin:${space}${flow}${tail}\n` +
      `${e}model:${space}${quote}a/b${quote}${tail}${end}`
    );
  });

/** A change of one place, and how many lines of the old text it may be about. */
const CHANGES: { path: (string | number)[]; value: unknown; lines: number }[] = [
  { path: ["version"], value: 1, lines: 0 },
  { path: ["model"], value: "c/d", lines: 1 },
  { path: ["limits", "max_steps"], value: 30, lines: 1 },
  { path: ["limits", "max_credits"], value: 3, lines: 0 },
  { path: ["limits", "timeout_seconds"], value: undefined, lines: 2 },
  { path: ["starters", 0], value: "Other", lines: 1 },
  { path: ["starters", 1], value: undefined, lines: 2 },
  { path: ["starters", 2], value: "Third: yes", lines: 0 },
  { path: ["tools", "builtin", 2], value: "web_fetch", lines: 1 },
  { path: ["tools", "builtin", 0], value: undefined, lines: 1 },
  { path: ["tools", "web"], value: { allowed_hosts: ["example.com"] }, lines: 0 },
  { path: ["inputs"], value: { type: "object", description: "a\nb\n" }, lines: 1 },
];
