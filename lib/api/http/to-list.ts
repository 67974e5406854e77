import "server-only";
import type { Page } from "@/lib/domain/page";

/** A page in the words of `/v1`. */
export function toList<T, R>(page: Page<T>, toRow: (row: T) => R) {
  return { data: page.data.map(toRow), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}
