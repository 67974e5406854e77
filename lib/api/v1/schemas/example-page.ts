import "server-only";

/** The answer of a list with one row. */
export function examplePage<T>(row: T) {
  return { list: { data: [row], has_more: false, next_cursor: null } };
}
