import "server-only";
import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/**
 * The JSON Schema of a tool's arguments, in the order in which it is read: what a call is checked
 * against. Defaults are not in it.
 * @param args a strict object, whose parts may be `shownAs` something else, `asked` or `unshown`
 */
export function checkedSchema(args: z.ZodObject): JsonObject {
  return ordered(derivedSchema(args), ALL);
}

/**
 * The same as a model is shown it. It is paid for with every turn, so that it says no bound that no
 * sensible call comes near: how long a text is, and that what is given is not empty. A call beyond
 * one is answered with it.
 */
export function shownSchema(args: z.ZodObject): JsonObject {
  return ordered(derivedSchema(args), SHORT);
}

/** All that JSON Schema can say of the arguments, with defaults. */
export function derivedSchema(args: z.ZodObject): JsonObject {
  return z.toJSONSchema(args, { io: "input" }) as JsonObject; // of an object zod makes JSON
}

const SHOWN_AS = "x-shown";
const ASKED = "x-asked";
const UNSHOWN = "x-unshown";

/** A part that a model is shown as `schema`, while more is taken than it says. */
export function shownAs<T extends z.ZodType>(part: T, schema: JsonObject): T {
  return part.meta({ ...part.meta(), [SHOWN_AS]: schema });
}

/** A part that may be left out, which a model is told to give. */
export function asked<T extends z.ZodType>(part: T): T {
  return part.meta({ ...part.meta(), [ASKED]: true });
}

/** A part that is still taken, and that no model is told of. */
export function unshown<T extends z.ZodType>(part: T): T {
  return part.meta({ ...part.meta(), [UNSHOWN]: true });
}

/** What is said of a value, as it is read: its words come last. */
const ALL = [
  ...["type", "anyOf", "const", "enum"],
  ...["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["items", "properties", "required", "additionalProperties", "description"],
];
const LENGTHS = ["minLength", "maxLength", "minItems"];
const SHORT = ALL.filter((key) => !LENGTHS.includes(key));

function ordered(said: JsonObject, keys: readonly string[]): JsonObject {
  const isShort = keys === SHORT;
  if (isShort && isJsonObject(said[SHOWN_AS])) return said[SHOWN_AS];
  const schema = withNull(isShort ? withAsked(said) : said);
  return Object.fromEntries(
    keys.flatMap((key): [string, JsonValue][] => {
      const value = schema[key];
      return value === undefined || saysNothing(key, value, keys)
        ? []
        : [[key, orderedPart(key, value, keys)]];
    }),
  );
}

function orderedPart(key: string, value: JsonValue, keys: readonly string[]): JsonValue {
  if (!isJsonObject(value)) return value;
  if (key !== "properties") return ordered(value, keys);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, of]): [string, JsonValue][] => {
      if (!isJsonObject(of)) return [[name, of]];
      return of[UNSHOWN] === true && keys === SHORT ? [] : [[name, ordered(of, keys)]];
    }),
  );
}

/** What zod says of any integer, and, to a model, that a count does not begin below nothing. */
function saysNothing(key: string, value: JsonValue, keys: readonly string[]): boolean {
  if (typeof value !== "number") return false;
  if (Math.abs(value) === Number.MAX_SAFE_INTEGER) return true;
  return keys === SHORT && key === "minimum" && (value === 0 || value === 1);
}

/** With what is asked of a model among what is required. */
function withAsked(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schema;
  const isAsked = (part: JsonValue | undefined) => isJsonObject(part) && part[ASKED] === true;
  if (!Object.values(properties).some(isAsked)) return schema;
  const names = Object.keys(properties).filter(
    (name) => isAsked(properties[name]) || (Array.isArray(required) && required.includes(name)),
  );
  return { ...schema, required: names };
}

/** What may be null says so in its type: a choice of two is more to read. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [of, empty] = anyOf;
  const isNull = isJsonObject(empty) && empty.type === "null";
  return isNull && isJsonObject(of) && typeof of.type === "string"
    ? { ...of, ...rest, type: [of.type, "null"] }
    : schema;
}
