import "server-only";
import { text as readAll } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { command } from "@/lib/admin/command";
import {
  cap,
  credits,
  email,
  id,
  repeated,
  required,
  text,
  toggle,
  UsageError,
  whole,
} from "@/lib/admin/flags";
import { createAccount } from "@/lib/domain/account/create-account";
import { resetSecondFactor } from "@/lib/domain/account/second-factor";
import { updateAccount } from "@/lib/domain/account/update-account";
import { findKeyVersion } from "@/lib/domain/agents/get-agent-version";
import { deleteAccount } from "@/lib/domain/deletion/delete-account";
import { requestDeletionAsOperator } from "@/lib/domain/deletion/request-account-deletion";
import { createKey } from "@/lib/domain/keys/create-key";
import { type KeyView, listKeys } from "@/lib/domain/keys/key-view";
import { revokeKeyAsOperator } from "@/lib/domain/keys/revoke-key";
import { findPrincipalByEmail, operatorActor } from "@/lib/domain/principal";
import { CAP_NAMES } from "@/lib/model/limits";

/**
 * The two ways to give a password. The second keeps it out of the shell's history and the list of
 * processes.
 */
const passwordFlags = (help: string) => ({
  password: text(
    "PASSWORD",
    `${help} Others on this machine can see it while the command runs: better give ` +
      "--password-stdin.",
  ),
  "password-stdin": toggle("Takes the password from standard input instead."),
});

const SHARED = {
  name: text("NAME", "What the account is called."),
  admin: toggle("Whether the user may administer the service in the console."),
  "super-agent": toggle("Whether the account may use the super-agent."),
  credits: credits("What the wallet holds."),
  "read-per-minute": whole("Requests a minute that start no run. Splits the budget in two."),
  "runs-per-minute": whole("Starts of runs a minute. Splits the budget in two."),
  "write-per-hour": whole("Writes an hour."),
  max: repeated(
    cap(
      "How much the account may have; NAME=default is the service's own number. Names: " +
        `${CAP_NAMES.join(", ")}.`,
    ),
  ),
};

const accountCreate = command({
  name: "account create",
  summary: "Makes an account with its first user and an account key.",
  flags: {
    email: required(email("Whom the account is for; the user signs in with it.")),
    ...passwordFlags("What the user signs in with."),
    ...SHARED,
  },
  async run(flags) {
    const password = await readPassword(flags);
    if (password === undefined) throw new UsageError("--password-stdin or --password is missing.");
    const account = await createAccount({
      email: flags.email,
      password,
      name: flags.name,
      proof: "given",
      isAdmin: flags.admin,
      superAgentAccess: flags["super-agent"],
      credits: flags.credits,
      readPerMinute: flags["read-per-minute"],
      writePerHour: flags["write-per-hour"],
      runsPerMinute: flags["runs-per-minute"],
      caps: Object.fromEntries(flags.max),
      actor: operatorActor(),
    });
    const principal = await findPrincipalByEmail(flags.email);
    const key = await createKey(principal, { name: "Operator", agentId: null, expiresAt: null });
    return { account_id: account.accountId, email: account.email, api_key: key.apiKey };
  },
});

const accountUpdate = command({
  name: "account update",
  summary: "Changes what is given of an account and its user; the rest stays.",
  flags: {
    email: required(text("EMAIL", "Whose account.")),
    ...passwordFlags("A new password; ends the user's sessions."),
    ...SHARED,
    proven: toggle(
      "Vouches that the e-mail address is the user's, who then need not confirm it by mail.",
    ),
    blocked: toggle("Whether the account may start no more runs; ends the user's sessions."),
    "add-credits": credits("Added to the wallet."),
    "runs-at-work": whole(
      "Runs that may work at once, the others wait; 0: as many as RUNS_AT_WORK_PER_ACCOUNT says.",
    ),
  },
  async run(flags) {
    if (flags.credits !== undefined && flags["add-credits"] !== undefined)
      throw new UsageError("--credits sets and --add-credits adds: give one of them.");
    const principal = await findPrincipalByEmail(flags.email);
    return updateAccount(principal, {
      password: await readPassword(flags),
      name: flags.name,
      isAdmin: flags.admin,
      superAgentAccess: flags["super-agent"],
      proven: flags.proven,
      blocked: flags.blocked,
      credits: flags.credits,
      addCredits: flags["add-credits"],
      runsAtWork: flags["runs-at-work"] === 0 ? null : flags["runs-at-work"],
      readPerMinute: flags["read-per-minute"],
      writePerHour: flags["write-per-hour"],
      runsPerMinute: flags["runs-per-minute"],
      caps: Object.fromEntries(flags.max),
    });
  },
});

const DELETION_WAIT_MS = 60_000;

const accountDelete = command({
  name: "account delete",
  summary:
    "Deletes an account with everything it owns, for good. Its keys, sessions and runs stop " +
    "at once.",
  flags: { email: required(text("EMAIL", "Whose account.")) },
  async run(flags) {
    const { accountId } = await requestDeletionAsOperator(flags.email);
    const giveUpAt = Date.now() + DELETION_WAIT_MS;
    let isDone = await deleteAccount(accountId);
    // A step of a running server ends within a second of the cancel; else that server goes on with
    // the deletion.
    while (!isDone && Date.now() < giveUpAt) {
      await pause(500);
      isDone = await deleteAccount(accountId);
    }
    return { account_id: accountId, email: flags.email, status: isDone ? "deleted" : "deleting" };
  },
});

const secondFactorReset = command({
  name: "account second-factor reset",
  summary: "Takes away the second factors of a user who has lost them; ends the user's sessions.",
  flags: { email: required(text("EMAIL", "Whose.")) },
  async run(flags) {
    return resetSecondFactor(flags.email);
  },
});

export const ACCOUNT_COMMANDS = [accountCreate, accountUpdate, accountDelete, secondFactorReset];

const PASSWORD_MAX_CHARACTERS = 200;

/**
 * The password that the flags give, or standard input without the line break at its end; undefined
 * for none.
 * @throws UsageError when it is given twice, is empty, or is too long to sign in with
 */
export async function readPassword(
  flags: { password?: string; "password-stdin"?: boolean },
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<string | undefined> {
  if (!flags["password-stdin"]) return checked(flags.password);
  if (flags.password !== undefined)
    throw new UsageError("--password and --password-stdin: give one of them.");
  return checked((await readAll(stdin)).replace(/\r?\n$/, ""));
}

function checked(password: string | undefined): string | undefined {
  if (password === "") throw new UsageError("The password is empty.");
  if (password !== undefined && password.length > PASSWORD_MAX_CHARACTERS)
    throw new UsageError(`A password has at most ${PASSWORD_MAX_CHARACTERS} characters.`);
  return password;
}

const LISTED_MAX = 1000;
const ownerEmail = required(text("EMAIL", "Whose account."));

const keyCreate = command({
  name: "key create",
  summary:
    "Makes an account key, or with --agent a key that only runs this agent on the app-scoped path.",
  flags: {
    email: ownerEmail,
    agent: id("The agent of an app key."),
    version: text("VERSION", "The version that its runs keep to, by label or id."),
  },
  async run(flags) {
    const principal = await findPrincipalByEmail(flags.email);
    const agentId = flags.agent ?? null;
    const key = await createKey(principal, {
      name: "Operator",
      agentId,
      agentVersion: await findKeyVersion(principal, agentId, flags.version ?? null),
      expiresAt: null,
    });
    return { key_id: key.id, api_key: key.apiKey };
  },
});

const keyList = command({
  name: "key list",
  summary: "Lists the newest thousand keys of an account, without their secrets.",
  flags: { email: ownerEmail },
  async run(flags) {
    const page = await listKeys(await findPrincipalByEmail(flags.email), {
      limit: LISTED_MAX,
      cursor: null,
    });
    return { keys: page.data.map(toRow) };
  },
});

const keyRevoke = command({
  name: "key revoke",
  summary: "Ends a key at once.",
  flags: { id: required(id("Which key, as `key list` shows it.")) },
  async run(flags) {
    return toRow(await revokeKeyAsOperator(flags.id));
  },
});

export const KEY_COMMANDS = [keyCreate, keyList, keyRevoke];

function toRow(key: KeyView): object {
  return {
    key_id: key.id,
    name: key.name,
    kind: key.kind,
    agent_id: key.agentId,
    agent_version: key.agentVersion,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
