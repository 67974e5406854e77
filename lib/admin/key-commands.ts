import "server-only";
import { command } from "@/lib/admin/command";
import { id, required, text } from "@/lib/admin/flags";
import { createKey } from "@/lib/domain/keys/create-key";
import { type KeyView, listKeys } from "@/lib/domain/keys/key-view";
import { revokeKeyAsOperator } from "@/lib/domain/keys/revoke-key";
import { findPrincipalByEmail } from "@/lib/domain/principal";

const LISTED_MAX = 1000;
const email = required(text("EMAIL", "Whose account."));

const keyCreate = command({
  name: "key create",
  summary: "Makes an account key, or with --agent a key that only runs this agent on the app-scoped path.",
  flags: { email, agent: id("The agent of an app key.") },
  async run(flags) {
    const principal = await findPrincipalByEmail(flags.email);
    const key = await createKey(principal, { name: "Operator", agentId: flags.agent ?? null, expiresAt: null });
    return { key_id: key.id, api_key: key.apiKey };
  },
});

const keyList = command({
  name: "key list",
  summary: "Lists the newest thousand keys of an account, without their secrets.",
  flags: { email },
  async run(flags) {
    const page = await listKeys(await findPrincipalByEmail(flags.email), { limit: LISTED_MAX, cursor: null });
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
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
