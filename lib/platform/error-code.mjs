/**
 * What the system or PostgreSQL calls an error, such as `ENOENT` or `23505`; "" for one without a
 * code.
 * @param {unknown} error
 */
export function errorCode(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
