import "server-only";
import { env } from "@/lib/env";
import type { CapName } from "@/lib/model/account-caps";
import { ServiceError } from "@/lib/model/errors";
import { toMicros } from "@/lib/model/run/usage";
import { hashPassword } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/storage/transaction";

export interface NewAccount {
  email: string;
  /** Null for someone who signs in through a provider. */
  password: string | null;
  name?: string;
  /** How a provider knows the first user. */
  identity?: { provider: string; subject: string };
  isAdmin?: boolean;
  superAgentAccess?: boolean;
  /** Defaults to STARTING_CREDITS. */
  credits?: number;
  readPerMinute?: number;
  runsPerMinute?: number;
  writePerHour?: number;
  /** Overrides of what the account may have, by name; null is the service's own number. */
  caps?: Partial<Record<CapName, number | null>>;
}

export interface CreatedAccount {
  accountId: string;
  userId: string;
  email: string;
}

/**
 * Makes an account with its first user and its starting credits, all or nothing.
 * @throws ServiceError CONFLICT when the e-mail address has an account
 */
export async function createAccount(input: NewAccount): Promise<CreatedAccount> {
  const passwordHash = input.password === null ? null : await hashPassword(input.password);
  return transaction((tx) => insertAccount(tx, input, passwordHash));
}

async function insertAccount(tx: Transaction, input: NewAccount, passwordHash: string | null): Promise<CreatedAccount> {
  const [accountId, userId, email] = [newId(), newId(), input.email.trim().toLowerCase()];
  const name = input.name?.trim() || email.split("@")[0] || email;
  const micros = toMicros(input.credits ?? env().STARTING_CREDITS);
  await tx.query(
    `INSERT INTO accounts (id, name, available_micros, super_agent_access, read_per_minute, runs_per_minute, write_per_hour, row_caps)
     VALUES ($1, $2, $3, $4, $5, $6, $7, jsonb_strip_nulls($8::jsonb))`,
    [
      accountId,
      name,
      micros,
      input.superAgentAccess ?? false,
      input.readPerMinute ?? null,
      input.runsPerMinute ?? null,
      input.writePerHour ?? null,
      JSON.stringify(input.caps ?? {}),
    ],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO users (id, account_id, email, name, password_hash, is_admin) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING`,
    [userId, accountId, email, name, passwordHash, input.isAdmin ?? false],
  );
  if (rowCount === 0) throw new ServiceError("CONFLICT", "This e-mail address already has an account. Sign in instead.");
  if (input.identity) {
    const { provider, subject } = input.identity;
    await tx.query("INSERT INTO oauth_identities (provider, subject, user_id) VALUES ($1, $2, $3)", [provider, subject, userId]);
  }
  await tx.query(
    "INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note) VALUES ($1, $2, 'grant', $3, 'starting credits')",
    [newId(), accountId, micros],
  );
  return { accountId, userId, email };
}
