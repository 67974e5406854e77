/**
 * @typedef {{ request: string, path: string }} Given
 * @typedef {object} FieldSchema
 * @property {string} [type]
 * @property {unknown[]} [enum]
 * @property {FieldSchema} [items]
 * @property {number} [minimum]
 * @property {unknown} [default]
 * @property {string[]} [required]
 * @property {Record<string, FieldSchema>} [properties]
 */

/**
 * What to give an agent whose inputs nobody knows beforehand: the file's path where a field asks
 * for a file, the request elsewhere.
 * `schema` is the agent's inputs schema or null. Optional fields that are neither are left out.
 * @param {FieldSchema | null | undefined} schema
 * @param {Given} options
 * @returns {Record<string, unknown>}
 */
export function demoInput(schema, { request, path }) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length === 0) return { request, file: path };
  const required = new Set(schema?.required ?? []);
  /** @type {Record<string, unknown>} */
  const input = {};
  for (const [name, field] of properties) {
    const value = valueFor(name, field ?? {}, { request, path });
    const wanted =
      required.has(name) || /file|path|request|question|task|prompt|query|ask|topic/i.test(name);
    if (value !== undefined && wanted && field.default === undefined) input[name] = value;
    else if (value !== undefined && required.has(name)) input[name] = field.default ?? value;
  }
  return input;
}

/**
 * @param {string} name
 * @param {FieldSchema} field
 * @param {Given} options
 * @returns {unknown}
 */
function valueFor(name, field, { request, path }) {
  if (Array.isArray(field.enum)) return field.enum[0];
  if (field.type === "array")
    return [valueFor(name, field.items ?? {}, { request, path })].filter(
      (value) => value !== undefined,
    );
  if (field.type === "boolean") return true;
  if (field.type === "number" || field.type === "integer") return field.minimum ?? 1;
  if (field.type === "object") return {};
  return /file|path|document|data_?set|csv|table/i.test(name) ? path : request;
}
