import "server-only";
import { z } from "zod";

/** Fields that hold what a model or a caller wrote: their keys are nobody's to rename. */
const FOREIGN: ReadonlySet<string> = new Set(["data", "arguments", "metadata", "output"]);

const toCamel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** JSON of ours under the names of the app-scoped path, to the bottom. */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      toCamel(name),
      FOREIGN.has(name) ? field : inCamelCase(field),
    ]),
  );
}

/**
 * The schema of what `inCamelCase` makes of what fits a schema. What has a name in the document has
 * it with `App` in front, and each schema becomes one other, however often it is asked for; what
 * has no key to rename stays itself.
 * @param known schemas whose counterparts are written out elsewhere
 */
export function camelCaseSchemas(known: [z.ZodType, z.ZodType][]) {
  const made = new Map<z.ZodType, z.ZodType>(known);
  const convert = (schema: z.ZodType): z.ZodType => {
    const before = made.get(schema);
    if (before) return before;
    const bare = rebuild(schema, convert);
    const meta = bare === schema ? undefined : schema.meta();
    const after = meta ? bare.meta({ ...meta, ...(meta.id && { id: `App${meta.id}` }) }) : bare;
    made.set(schema, after);
    return after;
  };
  return convert;
}

function rebuild(schema: z.ZodType, convert: (inner: z.ZodType) => z.ZodType): z.ZodType {
  // Each part of a schema of zod's classic flavour is one itself.
  const each = (inner: unknown) => convert(inner as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => ({
      name,
      field,
      renamed: toCamel(name),
      converted: FOREIGN.has(name) ? field : each(field),
    }));
    if (
      fields.every(({ name, field, renamed, converted }) => name === renamed && field === converted)
    )
      return schema;
    return z.object(
      Object.fromEntries(fields.map(({ renamed, converted }) => [renamed, converted])),
    );
  }
  if (schema instanceof z.ZodOptional) return wrapped(schema, each, (inner) => inner.optional());
  if (schema instanceof z.ZodNullable) return wrapped(schema, each, (inner) => inner.nullable());
  if (schema instanceof z.ZodArray) {
    const element = each(schema.element);
    return element === schema.element ? schema : z.array(element);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(each);
    if (options.every((option, index) => option === schema.options[index])) return schema;
    return schema instanceof z.ZodDiscriminatedUnion
      ? // Objects before, objects after.
        z.discriminatedUnion(schema.def.discriminator, options as [z.ZodObject, ...z.ZodObject[]])
      : z.union(options);
  }
  return schema;
}

function wrapped(
  schema: z.ZodOptional | z.ZodNullable,
  convert: (inner: unknown) => z.ZodType,
  wrap: (inner: z.ZodType) => z.ZodType,
): z.ZodType {
  const before = schema.unwrap();
  const inner = convert(before);
  return inner === before ? schema : wrap(inner);
}
