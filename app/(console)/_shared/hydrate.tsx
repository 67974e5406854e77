import "server-only";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pagesKey, queryKey, type Read } from "@/lib/console/reads";
import { readConsole } from "./read-console";

interface HydrateProps {
  /** What `useConsoleQuery` reads below. */
  reads?: Read[];
  /** First pages that `useConsolePages` reads below. */
  pages?: Read[];
  children: ReactNode;
}

/** Reads what the page is about to show, all at once, and hands it to the browser's queries. What cannot be read is left for them to ask. */
export async function Hydrate({ reads = [], pages = [], children }: HydrateProps) {
  const client = new QueryClient();
  await Promise.all([
    ...reads.map((read) => client.prefetchQuery({ queryKey: queryKey(read), queryFn: () => readConsole(read) })),
    ...pages.map((read) =>
      client.prefetchInfiniteQuery({ queryKey: pagesKey(read), queryFn: () => readConsole(read), initialPageParam: null }),
    ),
  ]);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
