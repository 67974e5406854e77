import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { MemoryPort, Note } from "@/lib/runtime/tools/tool-ports";

/** For one end-user of an agent. */
const NOTES_MAX = 200;
const NOTES_PER_ACCOUNT_MAX = 10_000;

/** Whose notes a run sees: those of its agent about the end-user that its caller named, or about none. */
const SCOPE = "account_id = $1 AND agent_id = $2 AND end_user = coalesce((SELECT metadata ->> 'end_user' FROM runs WHERE id = $3), '')";

/** The notes of an agent, for one run of it. */
export function memoryPort({ id: runId, accountId }: Pick<LoadedRun, "id" | "accountId">, agentId: string): MemoryPort {
  const scope = [accountId, agentId, runId];
  return {
    async list(search) {
      const { rows } = await postgres().query<Note>(
        `SELECT id, text FROM agent_memories WHERE ${SCOPE} AND ($4::text IS NULL OR strpos(lower(text), lower($4)) > 0) ORDER BY id DESC LIMIT ${NOTES_MAX}`,
        [...scope, search],
      );
      return rows;
    },
    save: (text, toolCallId) => save(scope, text, toolCallId),
    async update(noteId, text) {
      const { rowCount } = await postgres().query(`UPDATE agent_memories SET text = $5, updated_at = now() WHERE ${SCOPE} AND id = $4`, [
        ...scope,
        noteId,
        text,
      ]);
      return rowCount !== 0;
    },
    async remove(noteId) {
      const { rowCount } = await postgres().query(`DELETE FROM agent_memories WHERE ${SCOPE} AND id = $4`, [...scope, noteId]);
      return rowCount !== 0;
    },
  };
}

/** Saved once for one call, however often it is made. Notes of one account are saved one after another, so that none is one too many. */
async function save(scope: string[], text: string, toolCallId: string): Promise<Note> {
  return transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('memories:' || $1, 0))", [scope[0]]);
    const { rows } = await tx.query<Note>(
      `INSERT INTO agent_memories AS m (id, account_id, agent_id, end_user, text, made_by_run, made_by_call)
       SELECT $4, $1, $2, coalesce((SELECT metadata ->> 'end_user' FROM runs WHERE id = $3), ''), $5, $3, $6
       WHERE (SELECT count(*) FROM agent_memories WHERE ${SCOPE} AND (made_by_run, made_by_call) <> ($3, $6)) < ${NOTES_MAX}
         AND (SELECT count(*) FROM agent_memories WHERE account_id = $1) < ${NOTES_PER_ACCOUNT_MAX}
       ON CONFLICT (made_by_run, made_by_call) DO UPDATE SET made_by_call = m.made_by_call RETURNING id, text`,
      [...scope, newId(), text, toolCallId],
    );
    const [note] = rows;
    if (!note)
      throw new ToolFailure(
        `No more notes can be kept: at most ${NOTES_MAX} about one person. Nothing was noted; update or delete one first.`,
      );
    return note;
  });
}
