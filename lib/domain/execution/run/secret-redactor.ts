import "server-only";
import { createHash } from "node:crypto";
import { hiddenValues, openConnection } from "@/lib/domain/connections/connection-store";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { createRedactor, type Redactor, redactorInSteps } from "@/lib/platform/crypto/redact";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { inSlices } from "@/lib/platform/in-slices";
import { definePart } from "@/lib/service";

/** Takes an account's secrets, in every usual encoding, out of texts. */
export interface SecretRedactor {
  /** All of them: out of what comes back from a tool and goes to a model. */
  results: Redactor;
  /**
   * Those that are long enough not to stand in any text by chance: out of what a model says, which
   * is shown and kept.
   */
  output: Redactor;
}

interface Kept {
  fingerprint: string;
  /** Characters of all values. */
  size: number;
  redactor: Promise<SecretRedactor>;
}

/**
 * No model is given a secret, so that a shorter one in its words ("8080", "admin") is a word like
 * any other.
 */
const SPOKEN_SECRET_MIN_CHARS = 8;
const NOTHING = createRedactor([]);
const NOTHING_SECRET: SecretRedactor = { results: NOTHING, output: NOTHING };

/**
 * Accounts whose redactors are kept: building one for very large secrets takes half a second, and
 * every tool call needs it.
 */
const KEPT_MAX = 1_000;
/** Characters of their values, of each of which a redactor keeps up to a hundred bytes. */
const KEPT_MAX_CHARACTERS = 2_000_000;

export interface SealedSecret {
  name: string;
  sealed: string;
}

/**
 * A query of an account's secrets and of what its connections seal: whatever must come back from no
 * tool. `account`: an expression of SQL
 */
export function sealedOf(account: string): string {
  return `SELECT name, sealed FROM secrets WHERE account_id = ${account}
    UNION ALL SELECT '${CONNECTION_SCOPE}' || server_url AS name, sealed FROM mcp_connections WHERE account_id = ${account} AND status = 'connected'`;
}

const keptRedactors = definePart("secret-redactors", () => new Map<string, Kept>());

/** The redactor of these secrets of an account, which are all that it has. */
export async function secretRedactor(
  accountId: string,
  rows: readonly SealedSecret[],
): Promise<SecretRedactor> {
  if (rows.length === 0) return NOTHING_SECRET;
  const known = keptRedactors();
  const fingerprint = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  const kept = known.get(accountId);
  const current =
    kept?.fingerprint === fingerprint ? kept : { fingerprint, ...buildRedactor(accountId, rows) };
  known.delete(accountId);
  known.set(accountId, current);
  forgetOldest(known);
  return current.redactor;
}

function buildRedactor(
  accountId: string,
  rows: readonly SealedSecret[],
): Omit<Kept, "fingerprint"> {
  const values = rows.flatMap((row) => unseal(accountId, row));
  const size = values.reduce((sum, value) => sum + value.length, 0);
  return { size, redactor: buildBoth(values) };
}

async function buildBoth(values: string[]): Promise<SecretRedactor> {
  const results = await inSlices(redactorInSteps(values));
  const spoken = values.filter((value) => value.length >= SPOKEN_SECRET_MIN_CHARS);
  return {
    results,
    output: spoken.length === values.length ? results : await inSlices(redactorInSteps(spoken)),
  };
}

/** The map holds them in the order of their last use. */
function forgetOldest(known: Map<string, Kept>): void {
  let size = 0;
  for (const kept of known.values()) size += kept.size;
  for (const [accountId, kept] of known) {
    if (known.size <= KEPT_MAX && size <= KEPT_MAX_CHARACTERS) return;
    known.delete(accountId);
    size -= kept.size;
  }
}

/**
 * A value whose key is lost cannot be sent anywhere either, so it cannot come back. A connection
 * holds several.
 */
function unseal(accountId: string, { name, sealed }: SealedSecret): string[] {
  if (name.startsWith(CONNECTION_SCOPE))
    return hiddenValues(
      openConnection(accountId, { serverUrl: name.slice(CONNECTION_SCOPE.length), sealed }),
    );
  try {
    return [openSealed(keyRing(), sealed, { accountId, name })];
  } catch (error) {
    if (error instanceof SealBroken) return [];
    throw error;
  }
}
