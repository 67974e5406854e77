import "server-only";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { pagesKey, queryKey, type Read, type ReadAnswer, type ReadPath } from "@/lib/console/reads";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";

/** Reads something for the first paint. @throws ServiceError */
export async function readConsole<P extends ReadPath>(read: Read<P>): Promise<ReadAnswer<P>> {
  // The answer of the operation of this path, by whose schemas both types are made.
  return (await prefetchConsole(read.url)) as ReadAnswer<P>;
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

interface HydrateProps {
  /** What `useConsoleQuery` reads below. */
  reads?: Read[];
  /** First pages that `useConsolePages` reads below. */
  pages?: Read[];
  children: ReactNode;
}

/**
 * Reads what the page is about to show, all at once, and hands it to the browser's queries. What
 * cannot be read is left for them to ask.
 */
export async function Hydrate({ reads = [], pages = [], children }: HydrateProps) {
  const client = new QueryClient();
  await Promise.all([
    ...reads.map((read) =>
      client.prefetchQuery({ queryKey: queryKey(read), queryFn: () => readConsole(read) }),
    ),
    ...pages.map((read) =>
      client.prefetchInfiniteQuery({
        queryKey: pagesKey(read),
        queryFn: () => readConsole(read),
        initialPageParam: null,
      }),
    ),
  ]);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
