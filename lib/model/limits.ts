/** Limits of the specification (§8) and the contract, unit last. */
export const INPUT_MAX_CHARACTERS = 262_144;
export const INPUT_MAX_BYTES = 262_144;
export const WEBHOOK_URL_MAX_CHARACTERS = 2048;
export const NAME_MAX_CHARACTERS = 255;
/** Of the words that a conversation began with; they are cut there. */
export const CONVERSATION_TITLE_MAX_CHARACTERS = 120;
export const DESCRIPTION_MAX_CHARACTERS = 10_000;
export const VERSION_MAX_CHARACTERS = 64;
export const SKILL_CONTENT_MAX_CHARACTERS = 262_144;
export const SKILL_CONTENT_MAX_BYTES = 262_144;
export const CONFIG_CONTENT_MAX_CHARACTERS = 131_072;
export const RELEASE_NOTE_MAX_CHARACTERS = 2000;
export const JSON_BODY_MAX_BYTES = 1_048_576;
/** What an account begins with where the operator says nothing else. */
export const STARTING_CREDITS = 1000;
/**
 * Of a request of somebody who has not signed in: an address, a password and a token are all that
 * there is to say.
 */
export const BEFORE_SIGN_IN_BODY_MAX_BYTES = 8 * 1024;
export const JSON_MAX_DEPTH_LEVELS = 64;
export const METADATA_MAX_PAIRS = 16;
export const METADATA_KEY_MAX_CHARACTERS = 64;
export const METADATA_VALUE_MAX_CHARACTERS = 512;
/** How long a name of a person may be that `end_user` gives. */
export const END_USER_MAX_CHARACTERS = 128;
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_KEPT_HOURS = 24;
export const LIST_DEFAULT_ROWS = 20;
export const LIST_MAX_ROWS = 100;
export const ARTIFACT_URL_SECONDS = 900;
export const STREAM_PING_SECONDS = 10;
export const EVENTS_KEPT_HOURS = 24;
export const DEFAULT_MAX_STEPS = 20;
export const DEFAULT_TIMEOUT_SECONDS = 600;
/** Of one call of code: where the config says nothing, and at most. */
export const DEFAULT_CODE_SECONDS = 10;
export const CODE_SECONDS_MAX = 600;
export const MEMORY_TEXT_MAX_CHARACTERS = 2_000;
export const EMAIL_MAX_CHARACTERS = 254;
export const PASSWORD_MIN_CHARACTERS = 10;
export const PASSWORD_MAX_CHARACTERS = 200;
export const SESSION_DAYS = 14;
export const SESSIONS_PER_USER_MAX = 50;
export const VERIFY_EMAIL_HOURS = 24;
export const RESET_PASSWORD_HOURS = 1;
export const INVITATION_DAYS = 7;
export const PENDING_INVITATIONS_MAX = 1000;

/**
 * How far approvals and notifications that wait for a person are counted; this many means “or
 * more”.
 */
export const ATTENTION_MAX = 100;

/**
 * What an account may have only so many of, with the words of the refusal. The operator overrides a
 * number by `--max NAME=N`.
 */
export const ROW_CAPS = {
  agents: {
    what: "active agents",
    owner: "An account",
    advice: "Archive one first; archived agents do not count.",
  },
  workspaces: { what: "workspaces", owner: "An account", advice: "Delete one first." },
  files: { what: "files in its workspaces", owner: "An account", advice: "Delete some first." },
  schedules: { what: "schedules", owner: "An account", advice: "Delete one first." },
  conversations: {
    what: "conversations",
    owner: "An account",
    advice: "Delete some first, or continue one.",
  },
  secrets: { what: "secrets", owner: "An account", advice: "Delete one first." },
  connections: {
    what: "connections to MCP servers",
    owner: "An account",
    advice: "Delete one first.",
  },
  end_user_secrets: {
    what: "secrets of its end users",
    owner: "An account",
    advice: "Delete one first.",
  },
  end_user_connections: {
    what: "connections of its end users to MCP servers",
    owner: "An account",
    advice: "Delete one first.",
  },
  skills: { what: "custom skills", owner: "An account", advice: "Delete one first." },
  keys: {
    what: "keys that have neither expired nor been revoked",
    owner: "An account",
    advice: "Revoke one first.",
  },
  app_keys: {
    what: "app keys that have neither expired nor been revoked",
    owner: "An agent",
    advice: "Revoke one first.",
  },
} as const;

export type RowCap = keyof typeof ROW_CAPS;

/** Those whose rows the database counts as they are written (table `row_counts`). */
export type CountedRows = Exclude<RowCap, "keys" | "app_keys">;

/**
 * Every name that `--max` takes; beside the caps of rows those of what is open at once, of what is
 * kept, and the least minutes between firings.
 */
export const CAP_NAMES = [
  ...(Object.keys(ROW_CAPS) as RowCap[]),
  "versions",
  "uploads",
  "streams",
  "schedule_minutes",
] as const;

export type CapName = (typeof CAP_NAMES)[number];

/**
 * What an operation adds to an account: the name of a cap that refuses it; `versions`, of which the
 * oldest go; `webhook_secrets` and `webhook_endpoints`, whose numbers are fixed; `accounts`, which
 * the limit of addresses bounds; `invitations`, whose number is fixed for the service; or nothing
 * that stays.
 */
export type Creates =
  | RowCap
  | "versions"
  | "webhook_secrets"
  | "webhook_endpoints"
  | "accounts"
  | "invitations"
  | "nothing";

export function isRowCap(created: Creates): created is RowCap {
  return created in ROW_CAPS;
}

/** Sign-ins of one end user at MCP servers. */
export const END_USER_CONNECTIONS_MAX = 50;
/** Runs below each other, beneath one that nobody's run has started. */
export const CHILD_DEPTH_MAX = 3;
/** Runs that one run starts by `tools.agents`. */
export const CHILD_RUNS_MAX = 20;
