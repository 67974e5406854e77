import "server-only";
import { z } from "zod";

/** `size_bytes` as `sizeBytes`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * A schema of `/v1` in the words of the app-scoped path: the names of its objects in camelCase, to
 * the bottom. What a caller or a model names itself (records, whatever is not described) stays.
 */
export function camelSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return changed(schema, inner(schema), (to) => to.nullable());
  if (schema instanceof z.ZodOptional) return changed(schema, inner(schema), (to) => to.optional());
  if (schema instanceof z.ZodArray)
    return changed(schema, schema.element as z.ZodType, (to) => z.array(to));
  if (schema instanceof z.ZodDiscriminatedUnion) {
    // Ours are whole schemas.
    const options = schema.options.map((option) => camelSchema(option as z.ZodType));
    const { discriminator } = schema.def;
    // Of objects, as before.
    return z.discriminatedUnion(toCamelCase(discriminator), options as [z.ZodObject]);
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const parts = partsOf(schema).map(([name, part]) => ({ name, part, to: camelSchema(part) }));
  if (parts.every(({ name, part, to }) => part === to && name === toCamelCase(name))) return schema;
  const shape = Object.fromEntries(parts.map(({ name, to }) => [toCamelCase(name), to]));
  return schema.def.catchall ? z.looseObject(shape) : z.object(shape);
}

type CamelCase<S> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail> & string>}`
  : S;

/** The parts of an object under their names in camelCase. */
export function camelShape<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
): { [K in keyof Shape as CamelCase<K> & string]: Shape[K] } {
  const parts = Object.entries(shape).map(([name, part]) => [toCamelCase(name), part]);
  // As the type says.
  return Object.fromEntries(parts) as { [K in keyof Shape as CamelCase<K> & string]: Shape[K] };
}

/** The value that `schema` describes, in the same words; what it does not describe is left out. */
export function camelValue(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return camelValue(inner(schema), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => camelValue(schema.element as z.ZodType, each)); // as above
  if (typeof value !== "object") return value;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const option = schema.options.find((each) => (each as z.ZodType).safeParse(value).success);
    return option ? camelValue(option as z.ZodType, value) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  return Object.fromEntries(
    partsOf(schema)
      .filter(([name]) => Reflect.get(value, name) !== undefined)
      .map(([name, part]) => [toCamelCase(name), camelValue(part, Reflect.get(value, name))]),
  );
}

function partsOf(schema: z.ZodObject): [string, z.ZodType][] {
  return Object.entries(schema.shape) as [string, z.ZodType][]; // ours are whole schemas
}

function inner(schema: z.ZodNullable | z.ZodOptional): z.ZodType {
  return schema.unwrap() as z.ZodType; // as above
}

/** The same schema object where nothing in it changes its name: it may have one in the document. */
function changed(
  schema: z.ZodType,
  inside: z.ZodType,
  wrap: (to: z.ZodType) => z.ZodType,
): z.ZodType {
  const to = camelSchema(inside);
  return to === inside ? schema : wrap(to);
}
