import type { MaybeOptionalInit } from "openapi-fetch";
import { LatheError } from "./errors/lathe-error";
import type { paths } from "./openapi-types";
import type { InitOf } from "./verbs";

/** A page of the API. */
export interface Page<R> {
  data: R[];
  next_cursor: string | null;
}

type ListAnswer<Q, B> = {
  get: { parameters: { query?: Q }; responses: { 200: { content: { "application/json": B } } } };
};

type KeysOf<T> = [NonNullable<T>] extends [never] ? never : keyof NonNullable<T>;

/** The page that a list answers with: of the paths that take a `cursor`. */
type PageOf<P extends keyof paths> = paths[P] extends ListAnswer<infer Q, infer B> ? ("cursor" extends KeysOf<Q> ? B : never) : never;

/** The paths whose GET answers page by page. */
export type ListPath = { [P in keyof paths]: [PageOf<P>] extends [never] ? never : P }[keyof paths];

type RowOf<P extends ListPath> = PageOf<P> extends Page<infer R> ? R : never;

/** All rows of a list, page after page, fetched as they are asked for. */
export type List = <P extends ListPath, I extends MaybeOptionalInit<paths[P], "get">>(
  path: P,
  ...init: InitOf<I>
) => AsyncGenerator<RowOf<P>, void, undefined>;

/** What may be said of a list beside its path. */
export interface ListInit {
  params?: { query?: Record<string, unknown> };
}

/**
 * Follows `next_cursor` from page to page.
 * @throws LatheError when a page points to itself, which would go on for ever; what `fetchPage` rejects with
 */
export async function* listRows(fetchPage: (init: ListInit) => Promise<Page<unknown>>, init: ListInit = {}): AsyncGenerator<unknown> {
  const query = { ...init.params?.query };
  for (;;) {
    const page = await fetchPage({ ...init, params: { ...init.params, query } });
    yield* page.data;
    if (page.next_cursor === null) return;
    if (page.next_cursor === query.cursor) throw new LatheError("The list's next page is the same page again.");
    query.cursor = page.next_cursor;
  }
}
