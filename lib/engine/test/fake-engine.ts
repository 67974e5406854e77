import "server-only";
import { Inngest } from "inngest";
import { EMBEDDED_CLIENT_OPTIONS, embeddedFetch } from "@/lib/engine/embedded/protocol";
/** A logger that keeps what functions throw to itself. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A client that keeps what functions throw to itself. */
export function fakeClient() {
  return new Inngest({
    id: "fake",
    ...EMBEDDED_CLIENT_OPTIONS,
    fetch: embeddedFetch,
    logger: silent,
  });
}
