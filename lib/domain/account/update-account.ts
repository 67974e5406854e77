import "server-only";
import { type AuditEntry, recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import type { AuditAction } from "@/lib/model/audit";
import { ServiceError } from "@/lib/model/errors";
import type { CapName } from "@/lib/model/limits";
import { toCredits, toMicros } from "@/lib/model/run/run-result";
import { hashPassword } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export interface AccountChanges {
  password?: string;
  name?: string;
  isAdmin?: boolean;
  superAgentAccess?: boolean;
  blocked?: boolean;
  /** Vouches for the user's address; what is proven stays so. */
  proven?: boolean;
  /** Sets what is available. */
  credits?: number;
  addCredits?: number;
  readPerMinute?: number;
  runsPerMinute?: number;
  writePerHour?: number;
  /** Overrides by name; null goes back to the service's own number. */
  caps?: Partial<Record<CapName, number | null>>;
  /** Runs at work at once; null: the operator's default again. */
  runsAtWork?: number | null;
}

/**
 * Changes what is given, in one transaction; credits through the ledger. A new password, a block or
 * the loss of the admin flag ends the user's sessions. Returns the account as it is now.
 */
export async function updateAccount(
  principal: Principal,
  changes: AccountChanges,
): Promise<object> {
  const passwordHash = changes.password === undefined ? null : await hashPassword(changes.password);
  await transaction(async (tx) => {
    const before = await readState(tx, principal, "FOR NO KEY UPDATE");
    await tx.query(
      `UPDATE accounts SET name = coalesce($2, name),
         super_agent_access = coalesce($3, super_agent_access), blocked = coalesce($4, blocked),
         read_per_minute = coalesce($5, read_per_minute),
         runs_per_minute = coalesce($6, runs_per_minute),
         write_per_hour = coalesce($7, write_per_hour),
         row_caps = jsonb_strip_nulls(row_caps || $8::jsonb),
         runs_at_work = CASE WHEN $9 THEN $10::int ELSE runs_at_work END, vouched = vouched OR $11
       WHERE id = $1`,
      [
        principal.accountId,
        changes.name,
        changes.superAgentAccess,
        changes.blocked,
        changes.readPerMinute,
        changes.runsPerMinute,
        changes.writePerHour,
        JSON.stringify(changes.caps ?? {}),
        changes.runsAtWork !== undefined,
        changes.runsAtWork,
        changes.proven === true || (changes.addCredits ?? 0) > 0 || (changes.credits ?? 0) > 0,
      ],
    );
    await tx.query(
      `UPDATE users SET is_admin = coalesce($2, is_admin),
         password_hash = coalesce($3, password_hash),
         session_version = session_version + CASE WHEN $4 OR (is_admin AND $2 = false) THEN 1
         ELSE 0 END WHERE id = $1`,
      [
        principal.userId,
        changes.isAdmin,
        passwordHash,
        passwordHash !== null || changes.blocked === true,
      ],
    );
    if (changes.proven) await vouchForAddress(tx, principal);
    await changeCredits(tx, principal.accountId, changes);
    await auditChanges(tx, principal, before, changes);
  });
  return describeAccount(principal);
}

/** Nothing of what was made before ends: the operator says that it is the same person. */
async function vouchForAddress(tx: Transaction, principal: Principal): Promise<void> {
  const { rowCount } = await tx.query(
    "UPDATE users SET email_verified_at = now() WHERE id = $1 AND email_verified_at IS NULL",
    [principal.userId],
  );
  if (rowCount !== 0) await recordAudit(tx, principal, { action: "email.proven" });
}

interface AccountState {
  name: string;
  email: string;
  admin: boolean;
  super_agent: boolean;
  blocked: boolean;
  available_micros: string;
  /** Overrides by name; null, or left out: the service's own number. */
  limits: Record<string, number | null>;
}

const STATE = `
SELECT a.name, u.email, u.is_admin AS admin, a.super_agent_access AS super_agent, a.blocked,
  a.available_micros,
  a.row_caps || jsonb_build_object('read_per_minute', a.read_per_minute,
    'runs_per_minute', a.runs_per_minute, 'write_per_hour', a.write_per_hour,
    'runs_at_work', a.runs_at_work) AS limits
FROM accounts a JOIN users u ON u.account_id = a.id WHERE a.id = $1 AND u.id = $2`;

async function readState(tx: Transaction, principal: Principal, lock = ""): Promise<AccountState> {
  const { rows } = await tx.query<AccountState>(`${STATE} ${lock}`, [
    principal.accountId,
    principal.userId,
  ]);
  const [state] = rows;
  if (!state) throw new ServiceError("NOT_FOUND", "There is no such account.");
  return state;
}

/** One event for each act: what was set to what it was already is none. */
async function auditChanges(
  tx: Transaction,
  principal: Principal,
  before: AccountState,
  changes: AccountChanges,
): Promise<void> {
  const after = await readState(tx, principal);
  const record = (action: AuditAction, facts: AuditEntry["changes"] = {}) =>
    recordAudit(tx, principal, {
      action,
      object: { kind: "account", id: principal.accountId, label: after.email },
      changes: facts,
    });
  if (before.name !== after.name)
    await record("account.renamed", { name: { from: before.name, to: after.name } });
  if (before.blocked !== after.blocked)
    await record(after.blocked ? "account.blocked" : "account.unblocked");
  if (before.admin !== after.admin) await record(after.admin ? "admin.granted" : "admin.removed");
  if (before.super_agent !== after.super_agent)
    await record(after.super_agent ? "super_agent.allowed" : "super_agent.denied");
  if (changes.password !== undefined) await record("password.reset");
  if (before.available_micros !== after.available_micros) {
    const available = {
      from: toCredits(BigInt(before.available_micros)),
      to: toCredits(BigInt(after.available_micros)),
    };
    await record(changes.credits === undefined ? "credits.added" : "credits.set", { available });
  }
  const names = Object.keys({ ...before.limits, ...after.limits });
  const limits = names.map(
    (name) =>
      [name, { from: before.limits[name] ?? null, to: after.limits[name] ?? null }] as const,
  );
  const changed = limits.filter(([, { from, to }]) => from !== to);
  if (changed.length > 0) await record("account.limits_changed", Object.fromEntries(changed));
}

async function changeCredits(
  tx: Transaction,
  accountId: string,
  changes: AccountChanges,
): Promise<void> {
  if (changes.credits === undefined && changes.addCredits === undefined) return;
  const { rows } = await tx.query<{ available_micros: string }>(
    "SELECT available_micros FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    [accountId],
  );
  const current = BigInt(rows[0]?.available_micros ?? 0);
  const next =
    changes.credits === undefined
      ? current + toMicros(changes.addCredits ?? 0)
      : toMicros(changes.credits);
  if (next === current) return;
  await tx.query("UPDATE accounts SET available_micros = $2 WHERE id = $1", [accountId, next]);
  await tx.query(
    `INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note)
     VALUES ($1, $2, $3, $4, 'by the operator')`,
    [newId(), accountId, changes.credits === undefined ? "grant" : "adjustment", next - current],
  );
}

async function describeAccount(principal: Principal): Promise<object> {
  const account = await prisma().account.findUniqueOrThrow({
    where: { id: principal.accountId },
    include: { users: { where: { id: principal.userId ?? "" } } },
  });
  const user = account.users[0];
  return {
    account_id: account.id,
    email: user?.email,
    name: account.name,
    admin: user?.isAdmin,
    super_agent: account.superAgentAccess,
    blocked: account.blocked,
    credits: toCredits(account.availableMicros),
    read_per_minute: account.readPerMinute,
    runs_per_minute: account.runsPerMinute,
    write_per_hour: account.writePerHour,
    max: account.rowCaps,
    runs_at_work: account.runsAtWork,
  };
}
