import "server-only";
import { invalidInput } from "@/lib/model/errors";
import { isUuid } from "@/lib/model/uuid";

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

export interface PageRequest {
  limit: number;
  cursor: string | null;
}

/** One row more than the page has tells `toPage` whether there is a next one. */
export function rowsToRead({ limit }: Pick<PageRequest, "limit">): number {
  return limit + 1;
}

/**
 * Cuts the rows of `rowsToRead` to a page. Cursors name the last row's id, which sorts by time, so
 * rows added later never shift a page.
 */
export function toPage<T>(rows: T[], limit: number, idOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    nextCursor: rows.length > limit && last !== undefined ? toCursor(idOf(last)) : null,
  };
}

/** The opaque cursor of the page after the row with this id. */
export function toCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

/**
 * The id inside an opaque cursor; null without one. @throws ServiceError INVALID_INPUT for a cursor
 * that no list gave out
 */
export function readCursor(cursor: string | null): string | null {
  if (cursor === null) return null;
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (!isUuid(id)) throw invalidInput("cursor", "must be a next_cursor of this list");
  return id.toLowerCase();
}
