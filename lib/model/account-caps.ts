/** What an account may have only so many of, with the words of the refusal. The operator overrides a number by `--max NAME=N`. */
export const ROW_CAPS = {
  agents: { what: "active agents", owner: "An account", advice: "Archive one first; archived agents do not count." },
  workspaces: { what: "workspaces", owner: "An account", advice: "Delete one first." },
  files: { what: "files in its workspaces", owner: "An account", advice: "Delete some first." },
  schedules: { what: "schedules", owner: "An account", advice: "Delete one first." },
  conversations: { what: "conversations", owner: "An account", advice: "Delete some first, or continue one." },
  secrets: { what: "secrets", owner: "An account", advice: "Delete one first." },
  connections: { what: "connections to MCP servers", owner: "An account", advice: "Delete one first." },
  skills: { what: "custom skills", owner: "An account", advice: "Delete one first." },
  keys: { what: "keys that have neither expired nor been revoked", owner: "An account", advice: "Revoke one first." },
  app_keys: { what: "app keys that have neither expired nor been revoked", owner: "An agent", advice: "Revoke one first." },
} as const;

export type RowCap = keyof typeof ROW_CAPS;

/** Those whose rows the database counts as they are written (table `row_counts`). */
export type CountedRows = Exclude<RowCap, "keys" | "app_keys">;

/** Every name that `--max` takes; beside the caps of rows those of what is open at once, of what is kept, and the least minutes between firings. */
export const CAP_NAMES = [...(Object.keys(ROW_CAPS) as RowCap[]), "versions", "uploads", "streams", "schedule_minutes"] as const;

export type CapName = (typeof CAP_NAMES)[number];

/**
 * What an operation adds to an account: the name of a cap that refuses it; `versions`, of which the oldest go; `webhook_secrets`, whose number is
 * fixed; `accounts`, which the limit of addresses bounds; `invitations`, whose number is fixed for the service; or nothing that stays.
 */
export type Creates = RowCap | "versions" | "webhook_secrets" | "accounts" | "invitations" | "nothing";

export function isRowCap(created: Creates): created is RowCap {
  return created in ROW_CAPS;
}
