import type { ApiDocument, ApiSchema } from "@/lib/console/reference/api-document";
import { followReference } from "@/lib/console/reference/follow-reference";
import type { SchemaField } from "@/lib/console/reference/schema-field";

/** Deeper levels are named by their type alone. */
const MAX_LEVELS = 6;

/** The fields of a schema as a tree. References are followed; one that leads back into itself, and what lies too deep, has no children. */
export function toFields(document: ApiDocument, schema: ApiSchema): SchemaField[] {
  return childrenOf(document, schema, []);
}

function childrenOf(document: ApiDocument, schema: ApiSchema, seen: readonly string[]): SchemaField[] {
  const within = schema.$ref ? [...seen, schema.$ref] : [...seen, ""];
  if (within.length > MAX_LEVELS || (schema.$ref && seen.includes(schema.$ref))) return [];
  const { properties, required = [], items, additionalProperties, anyOf, oneOf, allOf } = followReference(document, schema);
  const alternatives = (oneOf ?? anyOf ?? []).filter((each) => each.type !== "null");
  if (alternatives.length > 1) return variantsOf(document, alternatives, within);
  const parts = [...alternatives, ...(allOf ?? []), ...(items ? [items] : [])].flatMap((part) => childrenOf(document, part, within));
  const own = Object.entries(properties ?? {}).map(([name, child]) => fieldOf(document, name, child, required.includes(name), within));
  const values = typeof additionalProperties === "object" && !properties ? childrenOf(document, additionalProperties, within) : [];
  return [...own, ...parts, ...values];
}

function fieldOf(document: ApiDocument, name: string, schema: ApiSchema, required: boolean, seen: readonly string[]): SchemaField {
  const whole = followReference(document, schema);
  const only = onlyAlternative(document, whole);
  return {
    name,
    type: describeType(document, schema),
    required,
    description: schema.description ?? whole.description ?? only.description ?? "",
    limits: describeLimits({ ...only, ...whole }),
    values: [...(whole.enum ?? only.enum ?? itemsEnum(document, whole) ?? [])]
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value)),
    children: childrenOf(document, schema, seen),
  };
}

/** Each alternative under the value that tells it apart, its title or name, or a number. Those without fields are told by the type alone. */
function variantsOf(document: ApiDocument, alternatives: ApiSchema[], seen: readonly string[]): SchemaField[] {
  return alternatives.flatMap((part, index) => {
    const whole = followReference(document, part);
    const children = childrenOf(document, part, seen);
    if (children.length === 0) return [];
    const name = String(whole.properties?.type?.const ?? whole.title ?? part.$ref?.split("/").at(-1) ?? `kind ${index + 1}`);
    return [{ name, type: "object", required: false, description: whole.description ?? "", limits: [], values: [], children }];
  });
}

/** Of a value that may be null, the other thing that it may be. */
function onlyAlternative(document: ApiDocument, { anyOf, oneOf }: ApiSchema): ApiSchema {
  const [only, ...more] = (anyOf ?? oneOf ?? []).filter((each) => each.type !== "null");
  return only && more.length === 0 ? followReference(document, only) : {};
}

function itemsEnum(document: ApiDocument, { items }: ApiSchema): unknown[] | undefined {
  return items && followReference(document, items).enum;
}

function describeType(document: ApiDocument, schema: ApiSchema): string {
  const { type, format, items, anyOf, oneOf, allOf, properties, additionalProperties, ...rest } = followReference(document, schema);
  if ("const" in rest) return JSON.stringify(rest.const);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map((each) => describeType(document, each)))].join(" or ");
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return items ? `array of ${describeType(document, items)}` : "array";
  if (type === "object" || allOf || properties)
    return typeof additionalProperties === "object" && !properties && Object.keys(additionalProperties).length > 0
      ? `map of ${describeType(document, additionalProperties)}`
      : "object";
  if (!type) return rest.enum ? "string" : "any";
  return format ? `${type} (${format})` : type;
}

/** What a value must keep to besides its type, in words. */
function describeLimits(schema: ApiSchema): string[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems, pattern, writeOnly } = schema;
  const limits = [
    range(minLength, maxLength, "characters"),
    range(minItems, maxItems, "items"),
    range(minimum, maximum, ""),
    exclusiveMinimum === undefined ? "" : `more than ${exclusiveMinimum}`,
    // A format's own pattern says nothing that the format does not.
    pattern && !schema.format ? `pattern ${pattern}` : "",
    "default" in schema ? `default ${JSON.stringify(schema.default)}` : "",
    writeOnly ? "never returned" : "",
  ];
  return limits.filter((limit) => limit !== "");
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  // The widest integer of JSON is no limit to speak of.
  const least = from === undefined || from <= Number.MIN_SAFE_INTEGER ? undefined : from;
  const most = to === undefined || to >= Number.MAX_SAFE_INTEGER ? undefined : to;
  if (least === undefined && most === undefined) return "";
  const text = (value: number) => value.toLocaleString("en-US");
  if (least === undefined) return `at most ${text(most ?? 0)} ${unit}`.trim();
  if (most === undefined) return `at least ${text(least)} ${unit}`.trim();
  return `${text(least)}–${text(most)} ${unit}`.trim();
}
