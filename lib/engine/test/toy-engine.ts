import "server-only";
import { Inngest } from "inngest";
import type { Queryable } from "@/lib/platform/postgres";
import { embeddedFetch } from "@/lib/engine/embedded/embedded-fetch";
import { EMBEDDED_CLIENT_OPTIONS } from "@/lib/engine/embedded/client-options";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A client whose events end in `pool()`, and which keeps what functions throw to itself. */
export function toyClient(pool: () => Queryable) {
  return new Inngest({ id: "toy", ...EMBEDDED_CLIENT_OPTIONS, fetch: embeddedFetch(pool), logger: silent });
}
