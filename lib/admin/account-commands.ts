import "server-only";
import { allowOnly, readCredits, readSwitch, readWhole, requireText, UsageError } from "@/lib/admin/read-flags";
import { createAccount } from "@/lib/domain/account/create-account";
import { findPrincipalByEmail } from "@/lib/domain/account/find-principal-by-email";
import { updateAccount } from "@/lib/domain/account/update-account";
import { createKey } from "@/lib/domain/keys/create-key";

const SHARED = ["email", "password", "name", "admin", "super-agent", "credits", "read-per-minute", "write-per-hour", "runs-per-minute"];

/** `account create`: an account with its first user and an account key. */
export async function accountCreate(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, SHARED);
  const email = requireText(flags, "email");
  const password = requireText(flags, "password");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError("--email is not an e-mail address.");
  const account = await createAccount({
    email,
    password,
    name: flags.get("name"),
    isAdmin: readSwitch(flags, "admin"),
    superAgentAccess: readSwitch(flags, "super-agent"),
    credits: readCredits(flags, "credits"),
    readPerMinute: readWhole(flags, "read-per-minute"),
    writePerHour: readWhole(flags, "write-per-hour"),
    runsPerMinute: readWhole(flags, "runs-per-minute"),
  });
  const principal = await findPrincipalByEmail(email);
  const key = await createKey(principal, { name: "Operator", agentId: null, expiresAt: null });
  return { account_id: account.accountId, email: account.email, api_key: key.apiKey };
}

/** `account update`: changes what is given of an account and its user. */
export async function accountUpdate(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, [...SHARED, "blocked", "add-credits"]);
  if (flags.has("credits") && flags.has("add-credits")) throw new UsageError("--credits sets and --add-credits adds: give one of them.");
  const principal = await findPrincipalByEmail(requireText(flags, "email"));
  return updateAccount(principal, {
    password: flags.get("password"),
    name: flags.get("name"),
    isAdmin: readSwitch(flags, "admin"),
    superAgentAccess: readSwitch(flags, "super-agent"),
    blocked: readSwitch(flags, "blocked"),
    credits: readCredits(flags, "credits"),
    addCredits: readCredits(flags, "add-credits"),
    readPerMinute: readWhole(flags, "read-per-minute"),
    writePerHour: readWhole(flags, "write-per-hour"),
    runsPerMinute: readWhole(flags, "runs-per-minute"),
  });
}
