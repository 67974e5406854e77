import type { ApiClient } from "./api-client";
import { accountUsageShape } from "./shapes";

/** What an account's wallet has left, in whole millionths of a credit, so that differences are exact. */
export async function availableMicros(api: ApiClient): Promise<number> {
  const usage = (await api.get("/v1/account/usage")).as(accountUsageShape);
  return Math.round(usage.credits.available * 1_000_000);
}
