import fc from "fast-check";
import type { ApiDocument, Schema } from "../api-document";

export interface BrokenJson {
  text: string;
  fault: string;
  /** The contract refuses it wherever it stands. */
  mustRefuse: boolean;
}

type Path = readonly (string | number)[];

/** Stands for a number as JSON writes it and JavaScript cannot. */
const RAW = /"~raw (.*?)~"/g;
const NUMBERS = [
  "1e400",
  "-1e400",
  "-0",
  "0.1e-400",
  "1e308",
  "9007199254740993",
  "-1",
  "0",
  "1.5",
  "1E+2",
  "123456789012345678901234567890",
];
const VALUES: unknown[] = [
  null,
  true,
  false,
  "",
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  "text",
  "2026",
  "0000-01-01T00:00:00Z",
  "01900000-0000-7000-8000-000000000000",
  "x".repeat(70_000),
  "😀".repeat(300),
  Array(300).fill("x"),
];
const KEYS = [
  "surprise",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "appId",
  "inputs",
  "skills",
  "",
  "k".repeat(5000),
  "$ref",
  "input ",
  "Input",
  "ключ",
  "a.b",
  "0",
];
const UNSTORABLE = ["\u0000", "a\u0000b", "\ud800", "b\udc00", "\udc00\ud800"];

/**
 * A body with one thing changed at one place: another value, a boundary crossed, a property taken
 * out, put in or doubled.
 */
export function breakJson(
  document: ApiDocument,
  schema: Schema,
  value: unknown,
): fc.Arbitrary<BrokenJson> {
  const places = pathsOf(value);
  const anywhere = fc.constantFrom(...places);
  const containers = places.filter((path) => isObject(at(value, path)));
  const bounds = places.flatMap((path) =>
    boundaryValues(document, schemaAt(document, schema, path)).map((other) => ({ path, other })),
  );
  const changes: { weight: number; arbitrary: fc.Arbitrary<BrokenJson> }[] = [
    {
      weight: 3,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom(...VALUES))
        .map(([path, other]) => change(value, path, other, "another value")),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom(...NUMBERS))
        .map(([path, raw]) => change(value, path, `~raw ${raw}~`, `the number ${raw}`)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom(...UNSTORABLE))
        .map(([path, text]) => change(value, path, text, "what cannot be stored", true)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom(30, 66, 2000))
        .map(([path, levels]) =>
          change(value, path, nested(levels), `${levels} levels`, levels > 64),
        ),
    },
  ];
  if (bounds.length > 0)
    changes.push({
      weight: 4,
      arbitrary: fc
        .constantFrom(...bounds)
        .map(({ path, other }) => change(value, path, other, "a limit, or one beyond it")),
    });
  if (places.length > 1)
    changes.push({
      weight: 2,
      arbitrary: fc
        .constantFrom(...places.slice(1))
        .map((path) => change(value, path, undefined, "something taken out")),
    });
  if (containers.length > 0)
    changes.push({
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...containers), fc.constantFrom(...KEYS), fc.constantFrom(...VALUES))
        .map(([path, key, other]) =>
          change(value, [...path, key], other, `the key ${key.slice(0, 20)}`),
        ),
    });
  changes.push({
    weight: 1,
    arbitrary: fc.constantFrom(...VALUES).map((other) => doubled(value, other)),
  });
  return fc.oneof(...changes);
}

function change(
  value: unknown,
  path: Path,
  other: unknown,
  what: string,
  mustRefuse = false,
): BrokenJson {
  const fault = `${what} at ${path.map((key) => String(key).slice(0, 20)).join(".") || "the top"}`;
  return { text: toText(put(value, path, other)) || "null", fault, mustRefuse };
}

/** The first property twice, the second time with another value. */
function doubled(value: unknown, other: unknown): BrokenJson {
  const text = toText(value);
  const first = isObject(value) ? Object.keys(value)[0] : undefined;
  if (first === undefined) return { text, fault: "nothing doubled", mustRefuse: false };
  return {
    text: `${text.slice(0, -1)},${JSON.stringify(first)}:${toText(other)}}`,
    fault: `${first} twice`,
    mustRefuse: false,
  };
}

function toText(value: unknown): string {
  return (JSON.stringify(value) ?? "").replace(RAW, "$1");
}

/**
 * The value with another one at a path; undefined takes it out. Own properties only, `__proto__`
 * too.
 */
function put(value: unknown, path: Path, other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value
      .map((item, index) => (index === key ? put(item, rest, other) : item))
      .filter((item) => item !== undefined);
  const entries = isObject(value) ? Object.entries(value) : [];
  const before = entries.find(([name]) => name === key)?.[1];
  return Object.fromEntries([
    ...entries.filter(([name]) => name !== key),
    [key, put(before, rest, other)],
  ]);
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (path.length > 4 || value === null || typeof value !== "object") return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf(at(value, [key]), [...path, key]))];
}

function at(value: unknown, path: Path): unknown {
  // The paths are the value's own.
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemaAt(document: ApiDocument, schema: Schema, path: Path): Schema {
  return path.reduce<Schema>((outer, key) => {
    const { properties = {}, items, additionalProperties } = document.resolve(outer);
    const inner =
      typeof key === "number"
        ? items
        : Object.hasOwn(properties, key)
          ? properties[key]
          : additionalProperties;
    return typeof inner === "object" ? document.resolve(inner) : {};
  }, schema);
}

function boundaryValues(document: ApiDocument, schema: Schema): unknown[] {
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    exclusiveMinimum,
    maxItems,
    enum: words,
    anyOf = [],
  } = document.resolve(schema);
  const values: unknown[] = anyOf.flatMap((choice) =>
    boundaryValues(document, document.resolve(choice)),
  );
  if (minLength) values.push("a".repeat(minLength), "a".repeat(minLength - 1));
  if (maxLength)
    values.push(
      "a".repeat(maxLength),
      "a".repeat(maxLength + 1),
      "é".repeat(maxLength),
      "😀".repeat(Math.ceil(maxLength / 2)),
    );
  if (minimum !== undefined) values.push(minimum, minimum - 1);
  if (maximum !== undefined) values.push(maximum, maximum + 1);
  if (exclusiveMinimum !== undefined)
    values.push(exclusiveMinimum, exclusiveMinimum + 0.000001, exclusiveMinimum + 1e-9);
  if (maxItems !== undefined && maxItems <= 1000)
    values.push(Array(maxItems + 1).fill("a"), Array(maxItems).fill("a"));
  if (words) values.push(...words.map((word) => String(word).toUpperCase()), `${words[0]} `);
  return values;
}

function nested(levels: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
