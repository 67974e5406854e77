import { randomBytes } from "node:crypto";
import { z } from "zod";
import { admin } from "./admin";
import { ApiClient } from "./api-client";

export interface TestAccount {
  accountId: string;
  email: string;
  password: string;
  apiKey: string;
  api: ApiClient;
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
  return { accountId, email, password, apiKey, api: new ApiClient(baseUrl, apiKey) };
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
  return wishes.superAgent ? [...flags, "--super-agent"] : flags;
}
