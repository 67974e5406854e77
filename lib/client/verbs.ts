import type {
  Client,
  ClientPathsWithMethod,
  MaybeOptionalInit,
  MethodResponse,
} from "openapi-fetch";
import { LatheApiError, LatheConnectionError, LatheError } from "./errors";
import type { paths } from "./openapi-types";
import type { Page } from "./schemas";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** A request's last argument may be left out when all in it may. */
export type InitOf<I> = [Partial<I>] extends [I] ? [init?: I] : [init: I];

/** The paths that have a method. */
export type PathOf<Paths extends object, M extends Method> = ClientPathsWithMethod<
  Client<Paths>,
  M
>;

type DataOf<Paths extends object, M extends Method, P extends PathOf<Paths, M>, I> = [
  MethodResponse<Client<Paths>, M, P, I>,
] extends [never]
  ? undefined
  : MethodResponse<Client<Paths>, M, P, I>;

type RequestInitOf<Item, M extends Method> = M extends keyof Item
  ? MaybeOptionalInit<Item, M>
  : never;

/** The body that a path answers a method with. */
export type AnswerOf<Paths extends object, M extends Method, P extends PathOf<Paths, M>> = DataOf<
  Paths,
  M,
  P,
  object
>;

/**
 * A call of one method: the document's paths, their parameters and bodies in `init`, and the body
 * of the answer as the result.
 */
type Verb<Paths extends object, M extends Method> = <
  P extends PathOf<Paths, M>,
  I extends RequestInitOf<Paths[P & keyof Paths], M>,
>(
  path: P,
  ...init: InitOf<I>
) => Promise<DataOf<Paths, M, P, I>>;

/**
 * Every operation of the document. @throws LatheApiError, LatheConnectionError, the signal's reason
 */
export interface Verbs<Paths extends object> {
  get: Verb<Paths, "get">;
  post: Verb<Paths, "post">;
  put: Verb<Paths, "put">;
  patch: Verb<Paths, "patch">;
  delete: Verb<Paths, "delete">;
}

type Untyped = (
  path: string,
  init?: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The five methods of `api`, giving the answer's body or throwing. */
export function createVerbs<Paths extends object>(api: Client<Paths>): Verbs<Paths> {
  // Each is the method of `api` with its result unwrapped: the types say so, but the compiler
  // cannot see through both generics.
  const verb = (method: unknown) => (path: string, init?: object) =>
    dataOf((method as Untyped)(path, init));
  const verbs = {
    get: verb(api.GET),
    post: verb(api.POST),
    put: verb(api.PUT),
    patch: verb(api.PATCH),
    delete: verb(api.DELETE),
  };
  return verbs as Verbs<Paths>;
}

/**
 * The body of an answer.
 * @throws LatheApiError for any status but a 2xx; LatheConnectionError when the body is not the
 * JSON that it should be
 */
export async function dataOf<T>(
  answering: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answering.catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new LatheConnectionError(
      "The answer is not JSON: is `baseUrl` the address of the service?",
      { cause },
    );
  });
  if (!response.ok) throw new LatheApiError(response, error, Date.now());
  return data as T; // the document's body of a 2xx, or the undefined that its type says
}

type ListAnswer<Q, B> = {
  get: { parameters: { query?: Q }; responses: { 200: { content: { "application/json": B } } } };
};

type KeysOf<T> = [NonNullable<T>] extends [never] ? never : keyof NonNullable<T>;

/** The page that a list answers with: of the paths that take a `cursor`. */
type PageOf<P extends keyof paths> =
  paths[P] extends ListAnswer<infer Q, infer B> ? ("cursor" extends KeysOf<Q> ? B : never) : never;

/** The paths whose GET answers page by page. */
export type ListPath = { [P in keyof paths]: [PageOf<P>] extends [never] ? never : P }[keyof paths];

export type RowOf<P extends ListPath> = PageOf<P> extends Page<infer R> ? R : never;

/** All rows of a list, page after page, fetched as they are asked for. */
export type List = <P extends ListPath, I extends MaybeOptionalInit<paths[P], "get">>(
  path: P,
  ...init: InitOf<I>
) => AsyncGenerator<RowOf<P>, void, undefined>;

/** What may be said of a list beside its path. */
interface ListInit {
  params?: { query?: Record<string, unknown> };
}

/** `list`, by the `get` of the same client. */
export function listBy({ get }: Verbs<paths>): List {
  // `List` allows only paths whose answers are pages, and gives their rows: the compiler cannot
  // follow that through both generics.
  const getPage = get as unknown as (path: string, init: ListInit) => Promise<Page<unknown>>;
  const list = (path: string, init?: ListInit) => listRows((page) => getPage(path, page), init);
  return list as unknown as List;
}

/**
 * Follows `next_cursor` from page to page.
 * @throws LatheError when a page points to itself, which would go on for ever; what `fetchPage`
 * rejects with
 */
async function* listRows(
  fetchPage: (init: ListInit) => Promise<Page<unknown>>,
  init: ListInit = {},
): AsyncGenerator<unknown> {
  const query = { ...init.params?.query };
  for (;;) {
    const page = await fetchPage({ ...init, params: { ...init.params, query } });
    yield* page.data;
    if (page.next_cursor === null) return;
    if (page.next_cursor === query.cursor)
      throw new LatheError("The list's next page is the same page again.");
    query.cursor = page.next_cursor;
  }
}
