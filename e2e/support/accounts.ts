import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { LatheClient } from "@/lib/client/lathe-client";
import { admin } from "./admin";
import { ApiClient, typedClient } from "./api-client";

export interface TestAccount {
  accountId: string;
  email: string;
  password: string;
  apiKey: string;
  api: ApiClient;
  client: LatheClient;
}

export interface AccountOptions {
  /** Credits in the wallet; the service's own start when left out. */
  credits?: number;
  /**
   * `true` leaves the service's own budgets in force; else every budget is wide open but for those
   * given.
   */
  defaultLimits?: boolean;
  readPerMinute?: number;
  runsPerMinute?: number;
  writePerHour?: number;
  superAgent?: boolean;
  /** What the account may have, by the names of `--max`. */
  max?: Record<string, number>;
}

const created = z.looseObject({ account_id: z.string(), email: z.string(), api_key: z.string() });
const PLENTY = 100_000;

/**
 * Makes an account with the operator's command. About a second: share one between tests that do not
 * look at its wallet, lists or limits.
 */
export async function createAccount(
  baseUrl: string,
  options: AccountOptions = {},
  environment: Record<string, string | undefined> = {},
): Promise<TestAccount> {
  const email = `e2e-${randomBytes(8).toString("hex")}@example.test`;
  const password = randomBytes(12).toString("base64url");
  const answer = await admin(
    ["account", "create", "--email", email, "--password", password, ...flagsOf(options)],
    environment,
  );
  const { account_id: accountId, api_key: apiKey } = created.parse(answer);
  const api = new ApiClient(baseUrl, apiKey);
  return { accountId, email, password, apiKey, api, client: typedClient(api) };
}

function flagsOf(options: AccountOptions): string[] {
  const open = options.defaultLimits ? undefined : PLENTY;
  const numbers = {
    "--credits": options.credits,
    "--read-per-minute": options.readPerMinute ?? open,
    "--runs-per-minute": options.runsPerMinute ?? open,
    "--write-per-hour": options.writePerHour ?? open,
  };
  const flags = Object.entries(numbers).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, String(value)],
  );
  const caps = Object.entries(options.max ?? {}).flatMap(([name, cap]) => [
    "--max",
    `${name}=${cap}`,
  ]);
  return [...flags, ...caps, ...(options.superAgent ? ["--super-agent"] : [])];
}

/**
 * What an account's wallet has left, in whole millionths of a credit, so that differences are
 * exact.
 */
export async function availableMicros(api: ApiClient): Promise<number> {
  const usage = await typedClient(api).get("/v1/account/usage");
  return Math.round(usage.credits.available * 1_000_000);
}
