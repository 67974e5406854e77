/**
 * What is compared of a JSON schema.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown[]} [enum]
 * @property {unknown} [const]
 * @property {string} [pattern]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema} [items]
 * @property {Schema | boolean} [additionalProperties]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 *
 * @typedef {"in" | "out"} Direction whether clients send what the schema describes, or are sent it
 * @typedef {{ before: object, after: object, busy: Set<string> }} Documents
 */

/** Lists that clients are told to expect more of: codes of errors, kinds of events. */
const OPEN = [
  "#/components/schemas/ErrorCode",
  "#/components/schemas/RunEvent",
  "#/components/schemas/RunFailureCode",
];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/**
 * Each of the one side's alternatives must find one of the other's that takes it; without one, the
 * nearest says why.
 * @param {Documents} documents
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} after
 * @param {Direction} direction
 * @returns {string[]}
 */
export function schemaChanges(documents, place, before, after, direction) {
  const pair = `${direction} ${before.$ref} ${after.$ref}`;
  const isNamed = before.$ref && after.$ref;
  // A schema within itself is being compared already.
  if (isNamed && documents.busy.has(pair)) return [];
  if (isNamed) documents.busy.add(pair);
  const was = alternatives(documents.before, before);
  const now = alternatives(documents.after, after);
  const isOpen = OPEN.includes(before.$ref ?? "");
  const gone = was.flatMap((one) =>
    nearest(
      now.map((other) => branchChanges(documents, place, one, other, direction, isOpen)),
      place,
    ),
  );
  const more =
    direction === "out" && !isOpen
      ? now
          .filter((other) =>
            was.every(
              (one) => branchChanges(documents, place, one, other, direction, isOpen).length > 0,
            ),
          )
          .map(() => `${place} may be something else than it was`)
      : [];
  documents.busy.delete(pair);
  return gone.length > 0 ? gone : more;
}

/**
 * @param {string[][]} tries
 * @param {string} place
 * @returns {string[]}
 */
function nearest(tries, place) {
  // One of another type is farther away than any other difference.
  /** @param {string[]} problems */
  const distance = (problems) =>
    problems[0]?.startsWith(`${place} was `) ? Infinity : problems.length;
  const [best] = tries.toSorted((a, b) =>
    distance(a) < distance(b) ? -1 : distance(a) > distance(b) ? 1 : 0,
  );
  return best ?? [`${place} is gone`];
}

/**
 * @param {Documents} documents
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} after
 * @param {Direction} direction
 * @param {boolean} isOpen
 * @returns {string[]}
 */
function branchChanges(documents, place, before, after, direction, isOpen) {
  if (!isSameType(before.type, after.type, direction))
    return [`${place} was ${before.type ?? "anything"} and is ${after.type ?? "anything"}`];
  return [
    ...valueChanges(place, before, after, direction, isOpen),
    ...(direction === "in" ? boundChanges(place, before, after) : []),
    ...fieldChanges(documents, place, before, after, direction),
    ...partChanges(documents, `${place}[]`, before.items, after.items, direction),
    ...partChanges(
      documents,
      `${place}.*`,
      before.additionalProperties,
      after.additionalProperties,
      direction,
    ),
  ];
}

/**
 * @param {Documents} documents
 * @param {string} place
 * @param {unknown} before
 * @param {unknown} after
 * @param {Direction} direction
 */
function partChanges(documents, place, before, after, direction) {
  if (!isObject(before) || !isObject(after)) return [];
  return schemaChanges(documents, place, before, after, direction);
}

/**
 * @param {unknown} before
 * @param {unknown} after
 * @param {Direction} direction
 */
function isSameType(before, after, direction) {
  const [narrow, wide] = direction === "in" ? [before, after] : [after, before];
  return narrow === wide || wide === undefined || (narrow === "integer" && wide === "number");
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} after
 * @param {Direction} direction
 * @param {boolean} isOpen
 */
function valueChanges(place, before, after, direction, isOpen) {
  const was = values(before);
  const now = values(after);
  if (!was) return now && direction === "in" ? [`${place} takes only ${now.join(", ")} now`] : [];
  if (!now) return direction === "out" ? [`${place} may have any value now`] : [];
  const gone = was
    .filter((value) => !now.includes(value))
    .map((value) => `${place} has lost the value ${value}`);
  const added =
    direction === "out" && !isOpen
      ? now.filter((value) => !was.includes(value)).map((value) => `${place} may be ${value} now`)
      : [];
  return [...gone, ...added];
}

/** @param {Schema} schema @returns {string[] | null} */
function values(schema) {
  const list = schema.enum ?? ("const" in schema ? [schema.const] : null);
  return list ? list.map((/** @type {unknown} */ value) => JSON.stringify(value)) : null;
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} after
 */
function boundChanges(place, before, after) {
  const tighter = [
    ...UPPER_BOUNDS.filter((name) => bound(before, name, Infinity) > bound(after, name, Infinity)),
    ...LOWER_BOUNDS.filter(
      (name) => bound(before, name, -Infinity) < bound(after, name, -Infinity),
    ),
    ...(after.pattern !== undefined && after.pattern !== before.pattern ? ["pattern"] : []),
  ];
  return tighter.map(
    (name) => `${place} has another ${name}: ${told(after, name)} instead of ${told(before, name)}`,
  );
}

/** @param {Schema} schema @param {string} name @param {number} none where it has none */
function bound(schema, name, none) {
  /** @type {unknown} */
  const value = Reflect.get(schema, name);
  return typeof value === "number" ? value : none;
}

/** @param {Schema} schema @param {string} name */
function told(schema, name) {
  return String(Reflect.get(schema, name) ?? "none");
}

/**
 * @param {Documents} documents
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} after
 * @param {Direction} direction
 */
function fieldChanges(documents, place, before, after, direction) {
  const [needed, has] = direction === "in" ? [after, before] : [before, after];
  const word = direction === "in" ? "is required now" : "may be absent now";
  const gone = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const now = after.properties?.[name];
    if (now) return schemaChanges(documents, `${place}.${name}`, schema, now, direction);
    return [`${place}.${name} is gone`];
  });
  const moved = (needed.required ?? []).filter(
    (/** @type {string} */ name) =>
      !has.required?.includes(name) && (direction === "in" || after.properties?.[name]),
  );
  return [...gone, ...moved.map((/** @type {string} */ name) => `${place}.${name} ${word}`)];
}

/**
 * A schema's alternatives, references resolved and `allOf` merged, with one type each.
 * @param {Schema} document
 * @param {Schema} schema
 * @returns {Schema[]}
 */
function alternatives(document, schema) {
  const { anyOf, oneOf, allOf, ...own } = resolve(document, schema);
  const union = anyOf ?? oneOf;
  if (union) return union.flatMap((/** @type {Schema} */ part) => alternatives(document, part));
  const merged = (allOf ?? []).reduce(
    (/** @type {Schema} */ whole, /** @type {Schema} */ part) =>
      merge(whole, resolve(document, part)),
    own,
  );
  if (!Array.isArray(merged.type)) return [merged];
  return merged.type.map((/** @type {string} */ type) =>
    type === "null" ? { type } : { ...merged, type },
  );
}

/** @param {Schema} one @param {Schema} other @returns {Schema} */
function merge(one, other) {
  return {
    ...one,
    ...other,
    ...((one.properties || other.properties) && {
      properties: { ...one.properties, ...other.properties },
    }),
    ...((one.required || other.required) && {
      required: [...(one.required ?? []), ...(other.required ?? [])],
    }),
  };
}

/**
 * What a reference of the document leads to, with what stands beside it.
 * @template {{ $ref?: string }} T
 * @param {object} document
 * @param {T} part
 * @returns {T}
 */
export function resolve(document, part) {
  if (part.$ref === undefined) return part;
  const { $ref, ...beside } = part;
  /** @type {unknown} */
  let target = document;
  for (const name of $ref.slice(2).split("/"))
    target = isObject(target)
      ? Reflect.get(target, name.replaceAll("~1", "/").replaceAll("~0", "~"))
      : undefined;
  const found = /** @type {T} */ (target ?? {}); // what the reference stands for
  return { ...resolve(document, found), ...beside };
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return typeof value === "object" && value !== null;
}
