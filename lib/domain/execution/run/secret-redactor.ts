import "server-only";
import { createHash } from "node:crypto";
import { hiddenValues, openConnection } from "@/lib/domain/connections/connection-store";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { ownedName, ownerOf } from "@/lib/model/secret/owned-name";
import { createRedactor, type Redactor, redactorInSteps } from "@/lib/platform/crypto/redact";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { inSlices } from "@/lib/platform/in-slices";
import { postgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

/** Takes the secrets that a run may be sent, in every usual encoding, out of texts. */
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
  /** What `ownedName` makes of it. */
  name: string;
  sealed: string;
}

/**
 * A query of what must come back from no tool of a run: the account's secrets and what its
 * connections seal, and the same of the person for whom it is. What other people have, no run of
 * this one is sent. Both arguments are expressions of SQL.
 * @param endUser null for a run that is for nobody
 */
export function sealedOf(account: string, endUser: string): string {
  return `SELECT name, sealed FROM secrets WHERE account_id = ${account} AND end_user IS NULL
    UNION ALL SELECT name, sealed FROM secrets WHERE account_id = ${account}
      AND end_user = ${endUser}
    UNION ALL SELECT '${CONNECTION_SCOPE}' || server_url AS name, sealed FROM mcp_connections
      WHERE account_id = ${account} AND end_user IS NULL AND status = 'connected'
    UNION ALL SELECT '${CONNECTION_SCOPE}' || server_url AS name, sealed FROM mcp_connections
      WHERE account_id = ${account} AND end_user = ${endUser} AND status = 'connected'`;
}

/**
 * What must not be seen of an account's run, as it is now.
 * @returns what `secretRedactor` takes
 */
export async function readSealed(runId: string, accountId: string): Promise<SealedSecret[]> {
  const { rows } = await postgres().query<SealedSecret>({
    name: "sealed-of-run",
    text: `SELECT s.* FROM runs r CROSS JOIN LATERAL (${sealedOf("r.account_id", "r.end_user")}) s
           WHERE r.id = $1 AND r.account_id = $2 ORDER BY name`,
    values: [runId, accountId],
  });
  return rows;
}

const keptRedactors = definePart("secret-redactors", () => new Map<string, Kept>());

/**
 * The redactor of these secrets of an account, which are all that a run may be sent: those of its
 * account, and of its person.
 */
export async function secretRedactor(
  accountId: string,
  rows: readonly SealedSecret[],
): Promise<SecretRedactor> {
  if (rows.length === 0) return NOTHING_SECRET;
  const known = keptRedactors();
  const fingerprint = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  const key = keyOf(accountId, rows);
  const kept = known.get(key);
  const current =
    kept?.fingerprint === fingerprint ? kept : { fingerprint, ...buildRedactor(accountId, rows) };
  known.delete(key);
  known.set(key, current);
  forgetOldest(known);
  return current.redactor;
}

/** One is kept for each person of an account who has secrets, and one for its other runs. */
function keyOf(accountId: string, rows: readonly SealedSecret[]): string {
  for (const { name } of rows) {
    const owner = ownerOf(name);
    if (owner !== null) return ownedName(accountId, owner);
  }
  return accountId;
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
  for (const [key, kept] of known) {
    if (known.size <= KEPT_MAX && size <= KEPT_MAX_CHARACTERS) return;
    known.delete(key);
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
