import "server-only";
import { Inngest } from "inngest";
import { EMBEDDED_CLIENT_OPTIONS } from "@/lib/engine/embedded/client-options";
import { embeddedFetch } from "@/lib/engine/embedded/embedded-fetch";
import type { Queryable } from "@/lib/platform/postgres";

/** A logger that keeps what functions throw to itself. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A client whose events end in `pool()`, and which keeps what functions throw to itself. */
export function toyClient(pool: () => Queryable) {
  return new Inngest({ id: "toy", ...EMBEDDED_CLIENT_OPTIONS, fetch: embeddedFetch(pool), logger: silent });
}
