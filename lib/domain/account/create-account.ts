import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { type Actor, systemPrincipal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { type CapName, STARTING_CREDITS } from "@/lib/model/limits";
import { toCredits, toMicros } from "@/lib/model/run/run-result";
import { hashPassword } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { isReachedFromElsewhere } from "@/lib/platform/public-base-url";

export interface NewAccount {
  email: string;
  /**
   * Null for someone who signs in through a provider; hashed already where it waited for the proof
   * of the address.
   */
  password: string | null | { hash: string; isUnproven: boolean };
  name?: string;
  /** How a provider knows the first user. */
  identity?: { provider: string; subject: string };
  /**
   * Whether the address is the user's: `shown` by themselves (a mailed link, a provider's word),
   * `given` by the operator, or `unasked`, where nobody can prove one. What is shown takes the
   * address from an account that never proved it. Defaults to `unasked`.
   */
  proof?: "shown" | "given" | "unasked";
  /** By an admin of the service, who knows whom they let in. */
  isInvited?: boolean;
  isAdmin?: boolean;
  superAgentAccess?: boolean;
  /** Defaults to `startingCredits`. */
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
 * @throws ServiceError CONFLICT when the e-mail address has an account; SERVICE_UNAVAILABLE when
 * too many passwords are hashed
 */
export async function createAccount(
  input: NewAccount,
  within?: (tx: Transaction, account: CreatedAccount) => Promise<void>,
): Promise<CreatedAccount> {
  const { password } = input;
  const hashed =
    typeof password === "string"
      ? { hash: await hashPassword(password), isUnproven: false }
      : password;
  return transaction(async (tx) => {
    const account = await insertAccount(tx, input, hashed);
    await within?.(tx, account);
    return account;
  });
}

/**
 * As `createAccount`, with the transaction that proves the address. @throws ServiceError CONFLICT
 * when the e-mail address has an account
 */
export async function insertAccount(
  tx: Transaction,
  input: Omit<NewAccount, "password">,
  password: { hash: string; isUnproven: boolean } | null,
): Promise<CreatedAccount> {
  const [accountId, userId, email] = [newId(), newId(), input.email.trim().toLowerCase()];
  const name = input.name?.trim() || email.split("@")[0] || email;
  const micros = toMicros(input.credits ?? startingCredits(input.proof));
  if (input.proof === "shown") await displaceUnproven(tx, email);
  await tx.query(
    `INSERT INTO accounts (id, name, available_micros, super_agent_access, read_per_minute,
       runs_per_minute, write_per_hour, row_caps, vouched)
     VALUES ($1, $2, $3, $4, $5, $6, $7, jsonb_strip_nulls($8::jsonb), $9)`,
    [
      accountId,
      name,
      micros,
      input.superAgentAccess ?? false,
      input.readPerMinute ?? null,
      input.runsPerMinute ?? null,
      input.writePerHour ?? null,
      JSON.stringify(input.caps ?? {}),
      input.proof === "given" || input.isInvited === true,
    ],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO users (id, account_id, email, name, password_hash, password_unproven, is_admin,
       email_verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN now() END)
     ON CONFLICT (email) DO NOTHING`,
    [
      userId,
      accountId,
      email,
      name,
      password?.hash ?? null,
      password?.isUnproven ?? false,
      input.isAdmin ?? false,
      input.proof === "shown" || input.proof === "given",
    ],
  );
  if (rowCount === 0) throw addressTaken();
  if (input.identity) {
    const { provider, subject } = input.identity;
    await tx.query(
      "INSERT INTO oauth_identities (provider, subject, user_id) VALUES ($1, $2, $3)",
      [provider, subject, userId],
    );
  }
  await tx.query(
    `INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note)
     VALUES ($1, $2, 'grant', $3, 'starting credits')`,
    [newId(), accountId, micros],
  );
  const actor =
    input.actor?.kind === "anonymous"
      ? { ...input.actor, kind: "user" as const, id: userId, label: email }
      : input.actor;
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

/**
 * None where strangers make accounts and nobody proves an address, unless the operator has said how
 * many: they are the operator's money.
 */
function startingCredits(proof: NewAccount["proof"]): number {
  const isAnybody = proof !== "shown" && proof !== "given" && isReachedFromElsewhere();
  return env().STARTING_CREDITS ?? (isAnybody ? 0 : STARTING_CREDITS);
}

/**
 * Whether an account of this address gives way to whoever shows that the address is theirs: an
 * account that nobody has proven belongs to nobody.
 */
export const IS_DISPLACEABLE = `
  u.email_verified_at IS NULL AND NOT u.is_admin AND a.deleting_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM users other WHERE other.account_id = a.id
      AND other.email_verified_at IS NOT NULL)`;

/**
 * Has an unproven account give its address up, and marks it for its deletion with everything it
 * owns: nothing of whoever made it is left to work in the owner's, neither a key nor a planted
 * skill. Only where mail is set up, so that its holder could have proven the address.
 * @throws ServiceError CONFLICT when the address is proven at this moment
 */
async function displaceUnproven(tx: Transaction, email: string): Promise<void> {
  if (!isMailConfigured()) return;
  // The account's row first, as in a deletion.
  const { rows } = await tx.query<{ account_id: string; user_id: string }>(
    `SELECT a.id AS account_id, u.id AS user_id FROM users u JOIN accounts a ON a.id = u.account_id
     WHERE u.email = $1 AND ${IS_DISPLACEABLE}
     FOR NO KEY UPDATE OF a`,
    [email],
  );
  const [found] = rows;
  if (!found) return;
  const { rowCount } = await tx.query(
    `UPDATE users SET email = 'displaced-' || id || '@invalid',
       session_version = session_version + 1
     WHERE id = $1 AND email = $2 AND email_verified_at IS NULL AND NOT is_admin`,
    [found.user_id, email],
  );
  if (rowCount === 0) throw addressTaken();
  await tx.query("UPDATE accounts SET deleting_at = now(), blocked = true WHERE id = $1", [
    found.account_id,
  ]);
  await tx.query(
    "UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL",
    [found.account_id],
  );
  await tx.query("UPDATE schedules SET enabled = false WHERE account_id = $1 AND enabled", [
    found.account_id,
  ]);
  // Each minute's look for what is to be deleted finds it.
  await recordAudit(tx, systemPrincipal(found.account_id), {
    action: "account.displaced",
    accountId: null,
    object: { kind: "account", id: found.account_id, label: email },
  });
}

export function addressTaken(): ServiceError {
  const message = "This e-mail address already has an account. Sign in instead.";
  return new ServiceError("CONFLICT", message, {
    details: [{ path: "email", message: "already has an account; sign in instead" }],
  });
}
