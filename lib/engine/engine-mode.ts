import "server-only";
import { env } from "@/lib/env";

/** `server`: an Inngest server drives the functions over HTTP. `embedded`: this process does, on its own queue in Postgres. */
export function engineMode(): "server" | "embedded" {
  const { INNGEST_EVENT_KEY, INNGEST_DEV } = env();
  const isDev = INNGEST_DEV !== "" && !["0", "false"].includes(INNGEST_DEV.toLowerCase());
  return INNGEST_EVENT_KEY !== "" || isDev ? "server" : "embedded";
}
