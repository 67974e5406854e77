import "server-only";
import type { Queryable } from "@/lib/platform/postgres";
import { SQL_CALLS, type SqlFunctions } from "@/lib/platform/sql-functions";

type Name = keyof SqlFunctions;

/**
 * Calls a function of the database (prisma/functions) by the names of its arguments. What it takes
 * and gives is the catalogue's: a name that is otherwise there does not compile.
 * @returns its rows, as the driver reads them: numbers of 64 bits as text
 * @throws the database's error, with what the function raises as its `code`
 */
export async function callSql<F extends Name>(
  on: Queryable,
  name: F,
  given: SqlFunctions[F]["takes"],
): Promise<SqlFunctions[F]["gives"][]> {
  const { text, values } = SQL_CALLS[name];
  const { rows } = await on.query<SqlFunctions[F]["gives"]>({
    name,
    text,
    values: values.map(([argument, field, list]) => {
      const value = fieldOf(given, argument);
      if (field === undefined) return value;
      if (list !== true) return fieldOf(value, field);
      return Array.isArray(value) ? value.map((each: unknown) => fieldOf(each, field)) : null;
    }),
  });
  return rows;
}

/** A field of what is given; null where there is none to take it from. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) ?? null) : null;
}
