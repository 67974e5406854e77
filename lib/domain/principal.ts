import "server-only";
import { hostname, userInfo } from "node:os";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { env } from "@/lib/env";
import type { ActorKind } from "@/lib/model/audit";
import type { ClientPower } from "@/lib/model/client-token";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/**
 * Who acts and from where, as the audit log tells it. Nothing is ever allowed or refused because of
 * it.
 */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  /** An e-mail address, or a key's last four characters. */
  label: string | null;
  address: string | null;
  userAgent: string | null;
}

/** What lets somebody in: once it ends, nothing that came in by it goes on. */
export interface Entry {
  by: "key" | "session";
  id: string;
}

/** The person behind a client token, and what it lets them do with the token's agent. */
export interface ClientIdentity {
  endUser: string;
  /** The one conversation that they see and continue; null: every one of theirs. */
  conversationId: string | null;
  can: readonly ClientPower[];
  expiresAt: Date;
  /** The key or the session that made the token, with which it ends. */
  madeBy: Entry;
}

/** Who asks. Every verb takes one, and every query by id has its account in the `where`. */
export interface Principal {
  accountId: string;
  /** Set for an app key and a client token: the one agent it may run. */
  agentId: string | null;
  /** Of an app key: the number of the agent's version that its runs keep to; absent: none. */
  agentVersion?: number;
  /** Set for a client token alone: whose runs it sees, of this agent. */
  client?: ClientIdentity;
  via: "key" | "session" | "system";
  userId: string | null;
  /** Of a signed-in user: the session that asks. */
  sessionId?: string;
  isAdmin: boolean;
  blocked: boolean;
  /**
   * Set where mail is set up and nobody has proven an address of the account: it belongs to nobody
   * yet (`requireProven`).
   */
  unproven?: boolean;
  /**
   * Set where the service asks for a second factor and the signed-in user has none yet: they read,
   * and set one up.
   */
  lacksSecondFactor?: boolean;
  superAgentAccess: boolean;
  /**
   * Writes an hour; null where the hourly cap does not apply (the system; a session before its
   * request is counted).
   */
  writePerHour: number | null;
  /** Absent: the service itself. */
  actor?: Actor;
}

/**
 * The service itself (a run's own step, a schedule, the operator) acting for an account: no hourly
 * cap, no access that the account's verbs do not check.
 */
export function systemPrincipal(accountId: string): Principal {
  return {
    accountId,
    agentId: null,
    via: "system",
    userId: null,
    isAdmin: false,
    blocked: false,
    superAgentAccess: false,
    writePerHour: null,
  };
}

/**
 * An account acting through the service itself (a schedule, its super-agent): what the account may
 * not do, neither may this, the hourly cap included.
 * Null when the account is gone.
 */
export async function accountPrincipal(accountId: string): Promise<Principal | null> {
  const account = await prisma().account.findUnique({
    where: { id: accountId },
    select: {
      blocked: true,
      superAgentAccess: true,
      writePerHour: true,
      users: { select: { emailVerifiedAt: true } },
    },
  });
  if (!account) return null;
  return {
    accountId,
    unproven:
      isMailConfigured() && account.users.every(({ emailVerifiedAt }) => emailVerifiedAt === null),
    agentId: null,
    via: "system",
    userId: null,
    isAdmin: false,
    blocked: account.blocked,
    superAgentAccess: account.superAgentAccess,
    writePerHour: account.writePerHour ?? env().WRITE_LIMIT_PER_HOUR,
  };
}

/**
 * An account whose address nobody has proven has no keys, connections, webhooks, schedules or
 * credits: whoever made it may have used somebody else's address.
 * @throws ServiceError FORBIDDEN
 */
export function requireProven(principal: Principal): void {
  if (!principal.unproven) return;
  throw new ServiceError(
    "FORBIDDEN",
    "The e-mail address of this account is not confirmed yet: until then nothing can be made " +
      "or started with it. Open the link that was mailed to it, or ask for another one in the " +
      "console's settings.",
  );
}

/**
 * @throws ServiceError FORBIDDEN where the service asks for a second factor and the signed-in user
 * has none yet
 */
export function requireSecondFactor(principal: Principal): void {
  if (!principal.lacksSecondFactor) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This service asks for a second factor: set one up in the console's settings first, " +
      "under Security.",
  );
}

/** Who types the operator's command, as far as the machine knows. */
export function operatorActor(): Actor {
  return {
    kind: "operator",
    id: null,
    label: `${userName()}@${hostname()}`,
    address: null,
    userAgent: null,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // the user of a container may have no name
  }
}

/** An account as the operator acts for it. @throws ServiceError NOT_FOUND */
export async function findPrincipalByEmail(email: string): Promise<Principal> {
  const user = await prisma().user.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (!user) throw new ServiceError("NOT_FOUND", `No account has the e-mail address ${email}.`);
  return { ...systemPrincipal(user.accountId), userId: user.id, actor: operatorActor() };
}

/**
 * Lets an admin's session pass, and nobody else: no key, and no admin of a blocked account. @throws
 * ServiceError NOT_FOUND
 */
export function requireAdmin(principal: Principal): void {
  if (principal.isAdmin && principal.via === "session" && !principal.blocked) return;
  throw new ServiceError("NOT_FOUND", "There is no such route.");
}
