import "server-only";
import { onOwnConnection } from "@/lib/platform/postgres";

const SHOWN_DEATHS = 50;

interface Held {
  /** The run's; of other work that of its event. */
  id: string;
  /** Whose run it is; null for other work, and for what has been deleted. */
  account_id: string | null;
  function: string;
  /**
   * What it did when the process died: it was `tried` by itself, or was `alone`, and is blamed; it
   * was one `among_others` that a process had died with before, or `at_work` for the first time, or
   * `waited` for its turn.
   */
  part: "tried" | "alone" | "among_others" | "at_work" | "waited";
  /** Deaths that count against it, in the step where it was. */
  deaths: number;
  status: string | null;
  /** Why the run failed, such as ENGINE_LOST. */
  error: string | null;
}

export interface EngineDeath {
  at: string;
  process: number;
  /** `froze`: it fell silent, and may live on; `died`: its machine knew that it had ended. */
  how: "froze" | "died";
  held: Held[];
}

/**
 * The last fifty processes that were found dead within a month while they held work, newest first,
 * with what each of them held: whoever looks for what kills processes begins with those of most
 * deaths.
 */
export async function listEngineDeaths(): Promise<{ deaths: EngineDeath[] }> {
  const { rows } = await onOwnConnection((client) =>
    client.query<Omit<EngineDeath, "at"> & { at: Date }>(
      `SELECT d.found_at AS at, d.process, CASE WHEN d.froze THEN 'froze' ELSE 'died' END AS how,
         (SELECT json_agg(json_build_object(
             'id', h.id, 'account_id', r.account_id, 'function', h.function_id, 'part', h.part,
             'deaths', h.deaths, 'status', r.status, 'error', r.error ->> 'code')
           ORDER BY h.deaths DESC, h.id)
          FROM json_to_recordset(d.held) AS h(id text, function_id text, part text, deaths int)
          LEFT JOIN runs r
            ON r.id = CASE WHEN h.function_id LIKE '%execute-run' THEN h.id::uuid END) AS held
       FROM engine_deaths d ORDER BY d.id DESC LIMIT ${SHOWN_DEATHS}`,
    ),
  );
  return { deaths: rows.map((row) => ({ ...row, at: row.at.toISOString() })) };
}
