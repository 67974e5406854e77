import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { type Actor, systemPrincipal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import type { CapName } from "@/lib/model/limits";
import { toCredits, toMicros } from "@/lib/model/run/run-result";
import { hashPassword } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";

export interface NewAccount {
  email: string;
  /** Null for someone who signs in through a provider. */
  password: string | null;
  name?: string;
  /** How a provider knows the first user. */
  identity?: { provider: string; subject: string };
  /**
   * Whether the address is the user's: `given` by somebody who knows (a provider, the operator, a mailed invitation), `awaited` (the credits
   * wait for it), or `unasked`, where nobody can prove one. Defaults to `unasked`.
   */
  proof?: "given" | "awaited" | "unasked";
  isAdmin?: boolean;
  superAgentAccess?: boolean;
  /** Defaults to STARTING_CREDITS. */
  credits?: number;
  readPerMinute?: number;
  runsPerMinute?: number;
  writePerHour?: number;
  /** Overrides of what the account may have, by name; null is the service's own number. */
  caps?: Partial<Record<CapName, number | null>>;
  /** Who makes it; a person who signs up has no id before. */
  actor?: Actor;
}

export interface CreatedAccount {
  accountId: string;
  userId: string;
  email: string;
}

/**
 * Makes an account with its first user and its starting credits, all or nothing.
 * @param within more that must become true with it; what it throws refuses the account
 * @throws ServiceError CONFLICT when the e-mail address has an account; SERVICE_UNAVAILABLE when too many passwords are hashed
 */
export async function createAccount(
  input: NewAccount,
  within?: (tx: Transaction, account: CreatedAccount) => Promise<void>,
): Promise<CreatedAccount> {
  const passwordHash = input.password === null ? null : await hashPassword(input.password);
  return transaction(async (tx) => {
    const account = await insertAccount(tx, input, passwordHash);
    await within?.(tx, account);
    return account;
  });
}

async function insertAccount(tx: Transaction, input: NewAccount, passwordHash: string | null): Promise<CreatedAccount> {
  const [accountId, userId, email] = [newId(), newId(), input.email.trim().toLowerCase()];
  const name = input.name?.trim() || email.split("@")[0] || email;
  const micros = toMicros(input.credits ?? env().STARTING_CREDITS);
  const isAwaited = input.proof === "awaited";
  await tx.query(
    `INSERT INTO accounts (id, name, available_micros, pending_credits_micros, super_agent_access, read_per_minute, runs_per_minute, write_per_hour, row_caps)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, jsonb_strip_nulls($9::jsonb))`,
    [
      accountId,
      name,
      isAwaited ? 0n : micros,
      isAwaited ? micros : 0n,
      input.superAgentAccess ?? false,
      input.readPerMinute ?? null,
      input.runsPerMinute ?? null,
      input.writePerHour ?? null,
      JSON.stringify(input.caps ?? {}),
    ],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO users (id, account_id, email, name, password_hash, is_admin, email_verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN now() END) ON CONFLICT (email) DO NOTHING`,
    [userId, accountId, email, name, passwordHash, input.isAdmin ?? false, input.proof === "given"],
  );
  if (rowCount === 0) throw addressTaken();
  if (input.identity) {
    const { provider, subject } = input.identity;
    await tx.query("INSERT INTO oauth_identities (provider, subject, user_id) VALUES ($1, $2, $3)", [provider, subject, userId]);
  }
  if (!isAwaited) {
    await tx.query(
      "INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note) VALUES ($1, $2, 'grant', $3, 'starting credits')",
      [newId(), accountId, micros],
    );
  }
  const actor = input.actor?.kind === "anonymous" ? { ...input.actor, kind: "user" as const, id: userId, label: email } : input.actor;
  await recordAudit(tx, systemPrincipal(accountId), {
    action: "account.created",
    actor,
    object: { kind: "account", id: accountId, label: email },
    changes: {
      credits: toCredits(micros),
      admin: input.isAdmin ?? false,
      super_agent: input.superAgentAccess ?? false,
      ...(input.identity && { provider: input.identity.provider }),
    },
  });
  return { accountId, userId, email };
}

export function addressTaken(): ServiceError {
  const message = "This e-mail address already has an account. Sign in instead.";
  return new ServiceError("CONFLICT", message, { details: [{ path: "email", message: "already has an account; sign in instead" }] });
}
