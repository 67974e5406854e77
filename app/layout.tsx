import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Appearance } from "@/components/appearance";
import { NONCE_HEADER } from "@/lib/api/http/security-headers";

export const metadata: Metadata = {
  title: { default: "Lathe", template: "%s · Lathe" },
  description: "Agents, made to order: create, edit and run hosted agents by API.",
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafaf8" },
    { media: "(prefers-color-scheme: dark)", color: "#0d0f12" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading it makes every page one of its own request: a page kept from an earlier one would have
  // a nonce that its policy does not know.
  const nonce = (await headers()).get(NONCE_HEADER) ?? "";
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body className="font-sans">
        <Appearance nonce={nonce}>{children}</Appearance>
      </body>
    </html>
  );
}
