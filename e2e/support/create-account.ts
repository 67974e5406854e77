import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { LatheClient } from "@/lib/client/lathe-client";
import { admin } from "./admin";
import { ApiClient } from "./api-client";
import { clientOf } from "./client-of";

export interface TestAccount {
  accountId: string;
  email: string;
  password: string;
  apiKey: string;
  api: ApiClient;
  client: LatheClient;
}

export interface AccountWishes {
  /** Credits in the wallet; the service's own start when left out. */
  credits?: number;
  /** `true` leaves the service's own budgets in force; else every budget is wide open but for those given. */
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

/** Makes an account with the operator's command. About a second: share one between tests that do not look at its wallet, lists or limits. */
export async function createAccount(
  baseUrl: string,
  wishes: AccountWishes = {},
  environment: Record<string, string | undefined> = {},
): Promise<TestAccount> {
  const email = `e2e-${randomBytes(8).toString("hex")}@example.test`;
  const password = randomBytes(12).toString("base64url");
  const answer = await admin(["account", "create", "--email", email, "--password", password, ...flagsOf(wishes)], environment);
  const { account_id: accountId, api_key: apiKey } = created.parse(answer);
  const api = new ApiClient(baseUrl, apiKey);
  return { accountId, email, password, apiKey, api, client: clientOf(api) };
}

function flagsOf(wishes: AccountWishes): string[] {
  const open = wishes.defaultLimits ? undefined : PLENTY;
  const numbers = {
    "--credits": wishes.credits,
    "--read-per-minute": wishes.readPerMinute ?? open,
    "--runs-per-minute": wishes.runsPerMinute ?? open,
    "--write-per-hour": wishes.writePerHour ?? open,
  };
  const flags = Object.entries(numbers).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
  const caps = Object.entries(wishes.max ?? {}).flatMap(([name, cap]) => ["--max", `${name}=${cap}`]);
  return [...flags, ...caps, ...(wishes.superAgent ? ["--super-agent"] : [])];
}
