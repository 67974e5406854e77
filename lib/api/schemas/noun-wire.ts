import "server-only";
import { z } from "zod";
import {
  type Field,
  type FieldTable,
  type GivenKey,
  type GivenOf,
  givenKeysOf,
  keysOf,
  type RowOf,
  type SnakeCase,
  toSnakeCase,
} from "@/lib/model/fields/field-table";

/**
 * What `/v1` shows and takes of a noun, made of its table of fields: schemas of answers and bodies
 * by their parts, the way from a row to an answer and from a body to what a verb is given.
 */
interface NounWire<T extends FieldTable> {
  /** The parts of what is shown, under their names on the wire. */
  shown: ShownShape<T>;
  /** The parts of a creation's body. */
  given: GivenShape<T>;
  /** The same, each that may be left out with the default that the document names. */
  defaulted: DefaultedShape<T>;
  /** The parts of a body of changes: all may be left out. */
  changes: ChangesShape<T>;
  example: Shown<T>;
  toWire(row: Readonly<ShownRow<T>>): Shown<T>;
  /** What a creation says; what its body leaves out is what the table says. */
  fromBody(body: object): GivenOf<T>;
  /** What a change says: what its body leaves out is not there. */
  fromChanges(body: object): Partial<GivenOf<T>>;
}

type WireName<T extends FieldTable, K extends keyof T> = T[K] extends {
  wire: infer Name extends string;
}
  ? Name
  : SnakeCase<K & string>;
type ShownKey<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { shown: z.ZodType } ? K : never;
}[keyof T];
type ShownRow<T extends FieldTable> = Pick<RowOf<T>, ShownKey<T> & keyof RowOf<T>>;
type ShownShape<T extends FieldTable> = {
  [K in ShownKey<T> as WireName<T, K>]: T[K] extends { shown: infer S } ? S : never;
};
type GivenShape<T extends FieldTable> = {
  [K in GivenKey<T> as WireName<T, K>]: T[K] extends { given: infer G extends z.ZodType }
    ? T[K] extends { absent: unknown }
      ? z.ZodOptional<G>
      : G
    : never;
};
type DefaultedShape<T extends FieldTable> = {
  [K in GivenKey<T> as WireName<T, K>]: T[K] extends { given: infer G extends z.ZodType }
    ? T[K] extends { absent: unknown }
      ? z.ZodDefault<G>
      : G
    : never;
};
type ChangesShape<T extends FieldTable> = {
  [K in GivenKey<T> as WireName<T, K>]: T[K] extends { given: infer G extends z.ZodType }
    ? z.ZodOptional<G>
    : never;
};
type Shown<T extends FieldTable> = {
  [K in ShownKey<T> as WireName<T, K>]: T[K] extends { shown: infer S } ? z.output<S> : never;
};

/** Of each part the types say what the table says, which is what it is made of here. */
export function wireOf<T extends FieldTable>(table: T): NounWire<T> {
  const shown = keysOf(table)
    .filter((key) => table[key]?.shown)
    .map((key) => ({ key, name: wireName(table, key), field: table[key] }));
  const given = givenKeysOf(table).map((key) => ({
    key,
    name: wireName(table, key),
    field: table[key],
  }));
  return {
    shown: byName(shown, ({ shown }) => shown) as ShownShape<T>,
    given: byName(given, ({ given, absent }) =>
      absent === undefined ? given : given?.optional(),
    ) as GivenShape<T>,
    defaulted: byName(given, ({ given, absent }) =>
      absent === undefined || !given ? given : z._default(given, absent),
    ) as DefaultedShape<T>,
    changes: byName(given, ({ given }) => given?.optional()) as ChangesShape<T>,
    example: byName(shown, ({ example }) => example) as Shown<T>,
    toWire: (row) =>
      Object.fromEntries(
        shown.map(({ key, name }) => [name, toWireValue(Reflect.get(row, key))]),
      ) as Shown<T>,
    fromBody: (body) =>
      Object.fromEntries(
        given.map(({ key, name, field }) => [key, keptOf(field, Reflect.get(body, name))]),
      ) as GivenOf<T>,
    fromChanges: (body) =>
      Object.fromEntries(
        given
          .filter(({ name }) => Reflect.get(body, name) !== undefined)
          .map(({ key, name, field }) => [key, keptOf(field, Reflect.get(body, name))]),
      ) as Partial<GivenOf<T>>,
  };
}

function wireName(table: FieldTable, key: string): string {
  return table[key]?.wire ?? toSnakeCase(key);
}

function byName(
  fields: readonly { name: string; field: Field | undefined }[],
  part: (field: Field) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, field }) => (field ? [[name, part(field)]] : [])),
  );
}

/** What is kept of a part of a body. */
function keptOf(field: Field | undefined, given: unknown): unknown {
  if (given === undefined) return field?.absent;
  return field?.take ? field.take(given) : given;
}

/** A time as RFC 3339 has it; all else is JSON already. */
export function toWireValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
