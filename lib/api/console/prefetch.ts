import "server-only";
import { consoleDoor } from "@/lib/api/console/console-door";
import { requireSession } from "@/lib/api/console/session";
import { dispatch } from "@/lib/api/http/dispatch";
import { type ErrorCode, ServiceError } from "@/lib/model/errors";

/**
 * Runs the GET operation of `/api/console/<path>` in this process with the request's session: the first paint of a page has the very JSON that
 * the browser's query would fetch.
 * @throws ServiceError as the operation does
 */
export async function prefetchConsole<T>(path: string): Promise<T> {
  await requireSession();
  const response = await dispatch(consoleDoor, new Request(`http://console.internal/api/console/${path}`));
  const body = (await response.json()) as T & { error?: ErrorCode; message?: string };
  if (!response.ok) throw new ServiceError(body.error ?? "INTERNAL_ERROR", body.message ?? "The page's data could not be read.");
  return body;
}
