import "server-only";
import { notFound } from "next/navigation";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";

/** Reads one path; what is missing, not the account's, or no id at all shows the not-found page. */
export async function readOrNotFound<T>(path: string): Promise<T> {
  try {
    return await prefetchConsole<T>(path);
  } catch (error) {
    if (error instanceof ServiceError && [400, 404].includes(ERROR_STATUS[error.code])) notFound();
    throw error;
  }
}
