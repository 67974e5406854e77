import { createClient, type LatheClient } from "@/lib/client/lathe-client";
import type { ApiClient } from "./api-client";

/** The typed client of an account, as an integrator has it, but that it tries nothing twice: a test must see what goes wrong. */
export function clientOf(api: ApiClient): LatheClient {
  const send = (request: Request) => {
    request.headers.set("x-forwarded-for", api.nextAddress());
    return fetch(request);
  };
  return createClient({ apiKey: api.key ?? "none", baseUrl: api.baseUrl, fetch: send, maxRetries: 0, maxReconnects: 0 });
}
