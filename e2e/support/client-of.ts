import { createClient, type LatheClient } from "@/lib/client/lathe-client";
import type { ApiClient } from "./api-client";

/** The typed client of an account, as an integrator has it, but that it tries nothing twice: a test must see what goes wrong. */
export function clientOf({ baseUrl, key }: ApiClient): LatheClient {
  return createClient({ apiKey: key ?? "none", baseUrl, maxRetries: 0, maxReconnects: 0 });
}
