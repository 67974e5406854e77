import type { Metadata } from "next";
import { Connect } from "./connect-link";

export const metadata: Metadata = { title: "Connect", robots: { index: false } };

/**
 * Where an end user of an account signs in at an MCP server as themself; they have no session here.
 */
export default async function ConnectPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { sign_in: outcome } = await searchParams;
  return <Connect outcome={typeof outcome === "string" ? outcome : null} />;
}
