import "server-only";
import { Inngest } from "inngest";
import { BareErrors } from "@/lib/engine/bare-errors";
import { EMBEDDED_CLIENT_OPTIONS } from "@/lib/engine/embedded/client-options";
import { embeddedFetch } from "@/lib/engine/embedded/embedded-fetch";
import { engineMode, isDevEngine } from "@/lib/engine/engine-mode";
import { serverFetch } from "@/lib/engine/server-fetch";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { once } from "@/lib/platform/once";

/** The client that all functions of lib/jobs are made with. In embedded mode nothing that it sends leaves this process. */
export const inngest: Inngest<{ id: "lathe" }> = once("engine.client", () => {
  if (engineMode() === "embedded")
    return withFixedHeaders(new Inngest({ id: "lathe", ...EMBEDDED_CLIENT_OPTIONS, fetch: embeddedFetch, logger: log }));
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return new Inngest({
    id: "lathe",
    isDev: isDevEngine(),
    // An empty string would count as given.
    ...(INNGEST_BASE_URL ? { baseUrl: INNGEST_BASE_URL } : {}),
    ...(INNGEST_EVENT_KEY ? { eventKey: INNGEST_EVENT_KEY } : {}),
    ...(INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY } : {}),
    aiMetadata: false,
    middleware: [BareErrors],
    fetch: serverFetch,
    logger: log,
  });
});

/** Nobody reads them in this process, and the SDK goes through the whole environment each time that it is asked for them. */
function withFixedHeaders(client: Inngest<{ id: "lathe" }>): Inngest<{ id: "lathe" }> {
  return Object.defineProperty(client, "headers", { value: client.headers });
}
