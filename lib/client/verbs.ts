import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from "openapi-fetch";
import { dataOf } from "./data-of";
import type { paths } from "./openapi-types";

type Api = Client<paths>;
type Method = "get" | "post" | "put" | "patch" | "delete";

/** A request's last argument may be left out when all in it may. */
export type InitOf<I> = [Partial<I>] extends [I] ? [init?: I] : [init: I];

type DataOf<M extends Method, P extends ClientPathsWithMethod<Api, M>, I> = [MethodResponse<Api, M, P, I>] extends [never]
  ? undefined
  : MethodResponse<Api, M, P, I>;

/** A call of one method: the document's paths, their parameters and bodies in `init`, and the body of the answer as the result. */
export type Verb<M extends Method> = <P extends ClientPathsWithMethod<Api, M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: InitOf<I>
) => Promise<DataOf<M, P, I>>;

/** Every operation of the document. @throws LatheApiError, LatheConnectionError, the signal's reason */
export interface Verbs {
  get: Verb<"get">;
  post: Verb<"post">;
  put: Verb<"put">;
  patch: Verb<"patch">;
  delete: Verb<"delete">;
}

type Untyped = (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The five methods of `api`, giving the answer's body or throwing. */
export function createVerbs(api: Api): Verbs {
  // Each is the method of `api` with its result unwrapped: the types say so, but the compiler cannot see through both generics.
  const verb = (method: unknown) => (path: string, init?: object) => dataOf((method as Untyped)(path, init));
  const verbs = { get: verb(api.GET), post: verb(api.POST), put: verb(api.PUT), patch: verb(api.PATCH), delete: verb(api.DELETE) };
  return verbs as Verbs;
}
