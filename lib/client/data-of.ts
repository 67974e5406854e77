import { LatheApiError } from "./errors/lathe-api-error";
import { LatheConnectionError } from "./errors/lathe-connection-error";

/**
 * The body of an answer.
 * @throws LatheApiError for any status but a 2xx; LatheConnectionError when the body is not the JSON that it should be
 */
export async function dataOf<T>(answering: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answering.catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new LatheConnectionError("The answer is not JSON: is `baseUrl` the address of the service?", { cause });
  });
  if (!response.ok) throw new LatheApiError(response, error, Date.now());
  return data as T; // the document's body of a 2xx, or the undefined that its type says
}
