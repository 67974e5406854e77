import "server-only";
import type { Entry, Principal } from "@/lib/domain/principal";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

/** How often it is asked whether whoever reads a stream would still be let in. */
const LOOK_MS = 750;

/** What a principal came in by; null: the service itself. */
export function entryOf({ client, sessionId, via, actor }: Principal): Entry | null {
  if (client) return client.madeBy;
  if (sessionId !== undefined) return { by: "session", id: sessionId };
  if (via === "key" && actor?.kind === "key" && actor.id !== null)
    return { by: "key", id: actor.id };
  return null;
}

const HOLDS = {
  key: `EXISTS (SELECT 1 FROM api_keys k WHERE k.id = $2 AND k.account_id = a.id
    AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))`,
  session: `EXISTS (SELECT 1 FROM user_sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = $2 AND s.account_id = a.id AND u.account_id = a.id
      AND s.ended_at IS NULL AND s.expires_at > now() AND s.version = u.session_version)`,
};
// A blocked account reads; persons of its client tokens do not.
const CLIENT_TOO = `AND NOT a.blocked AND EXISTS
  (SELECT 1 FROM agents g WHERE g.id = $3 AND g.account_id = a.id AND g.status = 'active')`;

/** Whether a request by the same entry would be let in at this moment; rates aside. */
async function isLetIn(principal: Principal, { by, id }: Entry): Promise<boolean> {
  const { accountId, agentId, client } = principal;
  const { rowCount } = await postgres().query({
    name: `is-let-in-${by}${client ? "-client" : ""}`,
    text: `SELECT 1 FROM accounts a WHERE a.id = $1 AND a.deleting_at IS NULL
             AND ${HOLDS[by]} ${client ? CLIENT_TOO : ""}`,
    values: [accountId, id, ...(client ? [agentId] : [])],
  });
  return rowCount === 1;
}

const watches = definePart("watched-entries", () => new Map<string, EntryWatch>());

/**
 * Calls `onShut` once, within a second, when a request by what the principal came in by would be
 * let in no more: its key was revoked or has expired, its session was ended, its account is being
 * deleted; of a client token also when its agent was archived or its account blocked. However many
 * watch one entry, it is one statement at a time.
 * @returns what ends the watch
 */
export function watchEntry(principal: Principal, onShut: () => void): () => void {
  const entry = entryOf(principal);
  if (!entry) return () => {};
  const all = watches();
  const name = JSON.stringify([entry.by, entry.id, principal.client ? principal.agentId : null]);
  let watch = all.get(name);
  if (!watch) {
    watch = new EntryWatch(
      () => isLetIn(principal, entry),
      () => all.delete(name),
    );
    all.set(name, watch);
  }
  return watch.add(onShut);
}

/** One entry, for as long as somebody watches it. */
class EntryWatch {
  readonly #isLetIn: () => Promise<boolean>;
  readonly #onEnd: () => void;
  /** Each by a name of its own: one callback may be there twice. */
  readonly #watchers = new Map<symbol, () => void>();
  readonly #timer: NodeJS.Timeout;
  #isAsking = false;
  #isOver = false;

  constructor(isLetIn: () => Promise<boolean>, onEnd: () => void) {
    this.#isLetIn = isLetIn;
    this.#onEnd = onEnd;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  add(onShut: () => void): () => void {
    const key = Symbol("watcher");
    this.#watchers.set(key, onShut);
    return () => {
      if (this.#watchers.delete(key) && this.#watchers.size === 0) this.#end();
    };
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (await this.#isLetIn()) return;
      const watchers = [...this.#watchers.values()];
      this.#watchers.clear();
      this.#end();
      for (const onShut of watchers) onShut();
    } catch (error) {
      // Asked again: a database that is away says nothing about a key.
      log.warn({ err: error }, "whether a stream's key still holds could not be asked");
    } finally {
      this.#isAsking = false;
    }
  }

  #end(): void {
    // Once: the entry may have another watch by now.
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#onEnd();
  }
}
