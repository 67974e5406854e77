"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { isRefusal } from "@/lib/console/errors";
import { BaseUrlContext, type BaseUrls } from "../_shared/base-url-context";
import { NewKeyProvider } from "../_shared/new-key";

/** What every page of the console stands on. */
export function ConsoleProviders({ baseUrls, children }: { baseUrls: BaseUrls; children: ReactNode }) {
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>
        <BaseUrlContext value={baseUrls}>
          <NewKeyProvider>{children}</NewKeyProvider>
        </BaseUrlContext>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal stays one; only what never arrived, or broke on the way, is worth another try.
        retry: (count, error) => count < 2 && !isRefusal(error),
      },
    },
  });
}
