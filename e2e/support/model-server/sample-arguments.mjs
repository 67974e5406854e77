/**
 * Arguments that fit a tool's JSON Schema: `given` where it says something, else the least value
 * that every required property allows.
 */
export function sampleArguments(schema, given) {
  const sample = sampleObject(schema, schema, given);
  return { ...sample, ...given };
}

function sampleObject(schema, root, given = {}) {
  const result = {};
  for (const name of schema.required ?? []) {
    if (name in given) result[name] = given[name];
    else result[name] = sampleValue(schema.properties?.[name] ?? {}, root, name);
  }
  return result;
}

function sampleValue(raw, root, name) {
  const schema = resolve(raw, root);
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return sampleValue(choice, root, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) return sampleObject(schema, root);
  if (type === "array")
    return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () =>
      sampleValue(schema.items ?? {}, root, name),
    );
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return false;
  if (type === "null") return null;
  return `A ${name.replaceAll("_", " ")}`
    .padEnd(schema.minLength ?? 0, ".")
    .slice(0, schema.maxLength);
}

function resolve(schema, root) {
  if (typeof schema.$ref !== "string") return schema;
  const target = schema.$ref
    .replace(/^#\//, "")
    .split("/")
    .reduce((at, key) => at?.[key], root);
  return target ?? {};
}
