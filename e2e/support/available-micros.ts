import type { ApiClient } from "./api-client";
import { clientOf } from "./client-of";

/** What an account's wallet has left, in whole millionths of a credit, so that differences are exact. */
export async function availableMicros(api: ApiClient): Promise<number> {
  const usage = await clientOf(api).get("/v1/account/usage");
  return Math.round(usage.credits.available * 1_000_000);
}
