import "server-only";
import { notFound } from "next/navigation";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import type { Read, ReadAnswer, ReadPath } from "@/lib/console/reads";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";

/** Reads something for the first paint. @throws ServiceError */
export async function readConsole<P extends ReadPath>(read: Read<P>): Promise<ReadAnswer<P>> {
  return (await prefetchConsole(read.url)) as ReadAnswer<P>; // the answer of the operation of this path, by whose schemas both types are made
}

/** The same; what is missing, not the account's, or no id at all shows the not-found page. */
export async function readOrNotFound<P extends ReadPath>(read: Read<P>): Promise<ReadAnswer<P>> {
  try {
    return await readConsole(read);
  } catch (error) {
    if (error instanceof ServiceError && [400, 404].includes(ERROR_STATUS[error.code])) notFound();
    throw error;
  }
}
