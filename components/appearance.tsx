"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Toaster } from "sonner";

// The name by which the libraries of dialogs and menus find a nonce for the style that they add
// while one is open.
if (typeof window !== "undefined") Object.assign(window, { __webpack_nonce__: documentNonce() });

/**
 * Light and dark, after the system until the reader picks, and the place of toasts. `nonce` is the
 * one of the page's policy.
 */
export function Appearance({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      nonce={documentNonce() || nonce}
    >
      {children}
      <Toaster
        position="bottom-right"
        gap={8}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-start gap-2.5 rounded-lg bg-surface p-3.5 text-sm " +
              "text-foreground shadow-high font-sans sm:w-[356px]",
            icon: "mt-0.5 text-muted data-[type=error]:text-danger",
            error: "[&_[data-icon]]:text-danger",
            success: "[&_[data-icon]]:text-success",
            description: "text-muted",
          },
        }}
      />
    </ThemeProvider>
  );
}

/**
 * The nonce of the policy that this document came with, for what adds styles later on; empty on the
 * server. It is read from the document, since a route that is rendered again (a refresh) comes with
 * a nonce of its own, which this document's policy does not know.
 */
export function documentNonce(): string {
  return typeof document === "undefined"
    ? ""
    : (document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");
}
