const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Any well-formed uuid, of whatever version (contract §1: a malformed one is 400, a missing one
 * 404).
 */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
