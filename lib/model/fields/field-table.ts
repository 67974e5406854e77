import type { z } from "zod";

/**
 * One definition a noun: a table of its fields, each said once. Made of it are the columns that are
 * read and written and the rows' types here, and by `lib/api/schemas/noun-wire.ts` what the API
 * shows and takes. A field's key is its name in the domain; its column, and its name on the wire,
 * are the same in snake_case.
 */
export type FieldTable = Record<string, Field>;

export interface Field extends FieldParts {
  stored: Stored<unknown>;
}

/** What a column holds: its type in PostgreSQL, and in TypeScript that of its values as read. */
export interface Stored<T> {
  /** As `format_type` names it; null: it has no column, and its reader says by what it is made. */
  readonly type: string | null;
  readonly nullable: boolean;
  /** Never there: it carries the type. */
  readonly value?: T;
}

interface FieldParts {
  /** How the API shows it; absent: it does not. */
  shown?: z.ZodType;
  /** Its value in the documented example. */
  example?: unknown;
  /** How a request gives it; absent: none does. */
  given?: z.ZodType;
  /** What a creation that leaves it out means; absent: it may not. A change leaves it as it is. */
  absent?: unknown;
  /** What is kept of what is given, where that is not the same. */
  // biome-ignore lint/suspicious/noExplicitAny: each takes what its own `given` puts out
  take?: (given: any) => unknown;
  /** Its name on the wire, where that is not its own in snake_case. */
  wire?: string;
  /** Its value in a row that was made just now, where no request says it. */
  initial?: unknown;
  /** Not read with its noun: who needs it asks for it. */
  inner?: true;
  /** Versions of its noun keep it: they show it, compare it, copy it and restore it. */
  kept?: true;
}

export const uuid: Stored<string> = { type: "uuid", nullable: false };
export const boolean: Stored<boolean> = { type: "boolean", nullable: false };
export const integer: Stored<number> = { type: "integer", nullable: false };
/** A number that may have a fraction. */
export const double: Stored<number> = { type: "double precision", nullable: false };
export const time: Stored<Date> = { type: "timestamp with time zone", nullable: false };
export const texts: Stored<string[]> = { type: "text[]", nullable: false };
/** A bigint; read by itself the driver gives it as text. */
export const bigInteger: Stored<bigint> = { type: "bigint", nullable: false };

export function text<T extends string = string>(): Stored<T> {
  return { type: "text", nullable: false };
}

export function json<T>(): Stored<T> {
  return { type: "jsonb", nullable: false };
}

/** What is worked out as its noun is read. */
export function computed<T>(): Stored<T> {
  return { type: null, nullable: false };
}

export function nullable<T>(stored: Stored<T>): Stored<T | null> {
  return { type: stored.type, nullable: true };
}

/** A value as JSON carries it. */
type Wire<T> = T extends Date ? string : T;

/** What is shown must be what is stored, and what is given what can be stored. */
type Fits<T, Parts> = (Parts extends { shown: infer S extends z.ZodType }
  ? Wire<T> extends z.input<S>
    ? { example: z.output<S> }
    : { shown: never }
  : unknown) &
  (Parts extends { given: infer G extends z.ZodType }
    ? Parts extends { take: unknown }
      ? { take: (given: z.output<G>) => T }
      : z.output<G> extends T
        ? unknown
        : { given: never }
    : unknown) &
  (Parts extends { initial: unknown } ? { initial: T } : unknown);

/** One field of a table. */
export function field<T, const Parts extends FieldParts>(
  stored: Stored<T>,
  parts: Parts & Fits<T, Parts>,
): { stored: Stored<T> } & Parts;
export function field<T>(stored: Stored<T>): { stored: Stored<T> };
export function field(stored: Stored<unknown>, parts: FieldParts = {}): Field {
  return { stored, ...parts };
}

type ValueOf<F> = F extends { stored: Stored<infer T> } ? T : never;
type NotInner<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { inner: true } ? never : K;
}[keyof T];

/** A row of a noun's view, under the names of the domain. */
export type RowOf<T extends FieldTable> = { [K in NotInner<T>]: ValueOf<T[K]> };

export type GivenKey<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { given: z.ZodType } ? K : never;
}[keyof T];

type Kept<F> = F extends { take: (given: never) => infer T }
  ? T
  : F extends { given: infer G extends z.ZodType }
    ? z.output<G>
    : never;

/** What a request says of a noun, under the names of the domain. */
export type GivenOf<T extends FieldTable> = {
  [K in GivenKey<T>]: Kept<T[K]> | (T[K] extends { absent: null } ? null : never);
};

export type AbsentKey<T extends FieldTable> = GivenKey<T> &
  { [K in keyof T]: T[K] extends { absent: unknown } ? K : never }[keyof T];

/** What a creation is told: what may be left out of its request need not be said. */
export type DraftOf<T extends FieldTable> = {
  [K in Exclude<GivenKey<T>, AbsentKey<T>>]: GivenOf<T>[K];
} & Partial<Pick<GivenOf<T>, AbsentKey<T>>>;

/** What a creation's request means that says nothing of what it may leave out. */
export function unsaidOf<T extends FieldTable>(table: T): Pick<GivenOf<T>, AbsentKey<T>> {
  const parts = Object.entries(table).filter(([, { absent }]) => absent !== undefined);
  // Those that have it, by the type too.
  return Object.fromEntries(parts.map(([key, { absent }]) => [key, absent])) as Pick<
    GivenOf<T>,
    AbsentKey<T>
  >;
}

type InitialKey<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { initial: unknown } ? K : never;
}[keyof T];

/** What a row that was made just now holds where no request says it. */
export function initialOf<T extends FieldTable>(table: T): { [K in InitialKey<T>]: ValueOf<T[K]> } {
  const parts = Object.entries(table).filter(([, { initial }]) => initial !== undefined);
  // As above.
  return Object.fromEntries(parts.map(([key, { initial }]) => [key, initial])) as {
    [K in InitialKey<T>]: ValueOf<T[K]>;
  };
}

type SaidKey<T extends FieldTable> = GivenKey<T> & keyof RowOf<T>;

/** What a request says that a row's view shows as it was said. */
export function saidKeysOf<T extends FieldTable>(table: T): (SaidKey<T> & string)[] {
  // Those that are not inner, by the type too.
  return givenKeysOf(table).filter((key) => !table[key]?.inner) as (SaidKey<T> & string)[];
}

/** `createdAt` as `created_at`, as a type. */
export type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S;

/** `createdAt` as `created_at`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The keys of a table, in its order. */
export function keysOf<T extends FieldTable>(table: T): (keyof T & string)[] {
  return Object.keys(table); // the keys of the table, which `keys` forgets
}

export function givenKeysOf<T extends FieldTable>(table: T): (GivenKey<T> & string)[] {
  // Those that have it, by its type too.
  return keysOf(table).filter((key) => table[key]?.given) as (GivenKey<T> & string)[];
}

/**
 * A noun's view for a `SELECT` or `RETURNING`, each column under its field's name.
 * @param alias the table's in the statement
 * @param computed by what the fields without a column are made
 */
export function selectList(
  table: FieldTable,
  alias = "",
  computed: Record<string, string> = {},
): string {
  const views = keysOf(table).filter((key) => !table[key]?.inner);
  return columnList(table, views, alias, computed);
}

/** The same of some of its fields. */
export function columnList(
  table: FieldTable,
  keys: readonly string[],
  alias = "",
  computed: Record<string, string> = {},
): string {
  return keys.map((key) => columnOf(table, key, alias, computed[key])).join(", ");
}

function columnOf(table: FieldTable, key: string, alias: string, computed?: string): string {
  if (table[key]?.stored.type === null) {
    if (computed === undefined) throw new Error(`nothing says by what ${key} is made`);
    return `${computed} AS "${key}"`;
  }
  const column = `${alias && `${alias}.`}${toSnakeCase(key)}`;
  return toSnakeCase(key) === key ? column : `${column} AS "${key}"`;
}

/** A row's fields as they are stored by a statement. */
interface StoreList<Key extends string> {
  /** For an INSERT: `name, description`. */
  columns: string;
  /** Their places: `$3, $4`. */
  places: string;
  /** For an UPDATE: `name = $3, description = $4`. */
  changes: string;
  /** The place behind theirs: `$5`. */
  next: string;
  /** Each field's place. */
  at: Record<Key, string>;
  values(row: Record<Key, unknown>): unknown[];
}

/**
 * Some fields of a table for an INSERT or UPDATE, the first of them at `$first`.
 */
export function storeList<T extends FieldTable, K extends keyof T & string>(
  table: T,
  keys: readonly K[],
  first: number,
): StoreList<K> {
  const columns = keys.map(toSnakeCase);
  const places = keys.map((_, index) => `$${first + index}`);
  return {
    columns: columns.join(", "),
    places: places.join(", "),
    changes: columns.map((column, index) => `${column} = ${places[index]}`).join(", "),
    next: `$${first + keys.length}`,
    // One for each key.
    at: Object.fromEntries(keys.map((key, index) => [key, places[index]])) as Record<K, string>,
    values: (row) => keys.map((key) => toStored(table[key]?.stored, row[key])),
  };
}

/** JSON goes to the driver as text: a list would become one of PostgreSQL's. */
function toStored(stored: Stored<unknown> | undefined, value: unknown): unknown {
  return stored?.type === "jsonb" && value !== null ? JSON.stringify(value) : value;
}

/** Some fields of a row. */
export function pickFields<Row extends object, K extends keyof Row>(
  row: Row,
  keys: readonly K[],
): Pick<Row, K> {
  // Of these very keys.
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, K>;
}

/** A value as the driver reads it: numbers of 64 bits come as text. */
export type Read<T> = T extends bigint ? string : T;

/** Some fields of a row as they were read. */
export function fromRead<Row extends object>(
  table: FieldTable,
  row: { [K in keyof Row]: Read<Row[K]> },
): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      table[key]?.stored.type === "bigint" && typeof value === "string" ? BigInt(value) : value,
    ]),
  ) as Row; // what `Read` takes away is put back
}
