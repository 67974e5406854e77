"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createContext, type ReactNode, useContext, useState } from "react";
import { isRefusal } from "@/lib/console/api";
import { NewKeyProvider } from "../_shared/new-key";

/** What every page of the console stands on. */
export function ConsoleProviders({
  baseUrls,
  children,
}: {
  baseUrls: BaseUrls;
  children: ReactNode;
}) {
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

/**
 * The addresses of the two APIs, by account keys and by app keys, without a slash at their ends.
 */
export interface BaseUrls {
  api: string;
  app: string;
}

const BaseUrlContext = createContext<BaseUrls>({ api: "", app: "" });

/** The address of one, for code that the reader copies. */
export function useBaseUrl(surface: keyof BaseUrls = "api"): string {
  return useContext(BaseUrlContext)[surface];
}
