import "server-only";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { queryKey } from "@/lib/console/query-key";
import type { Page } from "@/lib/console/shapes/page";

interface HydrateProps {
  /** Paths that `useConsoleQuery` reads below. */
  paths?: string[];
  /** First pages that `useConsolePages` reads below. */
  pages?: string[];
  children: ReactNode;
}

/** Reads what the page is about to show, all at once, and hands it to the browser's queries. What cannot be read is left for them to ask. */
export async function Hydrate({ paths = [], pages = [], children }: HydrateProps) {
  const client = new QueryClient();
  await Promise.all([
    ...paths.map((path) => client.prefetchQuery({ queryKey: queryKey(path), queryFn: () => prefetchConsole(path) })),
    ...pages.map((path) =>
      client.prefetchInfiniteQuery({
        queryKey: [...queryKey(path), "pages"],
        queryFn: () => prefetchConsole<Page<unknown>>(path),
        initialPageParam: null,
      }),
    ),
  ]);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
