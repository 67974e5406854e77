import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { clientValues, seenByClient } from "@/lib/domain/seen-by-client";
import { ServiceError } from "@/lib/model/errors";
import { columnList, type RowOf, selectList } from "@/lib/model/fields/field-table";
import { BUDGET_ACTIONS } from "@/lib/model/run/on-budget";
import { REPLAYED_INNER, RUN_FIELDS } from "@/lib/model/run/run-fields";
import { toCredits, type Usage, type UsageRow } from "@/lib/model/run/run-result";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";
import { keyedReads, postgres } from "@/lib/platform/postgres";

/**
 * A run as verbs hand it out: the row with its usage added up. Artifact urls are signed by the
 * surfaces.
 */
export type RunView = RowOf<typeof RUN_FIELDS>;
/** What a running run waits for. */
export type RequiredAction = NonNullable<RunView["requiresAction"]>;

/** A row of `RUN_COLUMNS`: its usage is to be added up. */
export type RunRow = Omit<RunView, "usage"> & { usage: UsageSum[] | null };

export interface UsageSum {
  model: string;
  capability: UsageRow["capability"];
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  units: number;
  micros: number;
}

/** One row per model and capability, as JSON: the run and its usage are one read. */
export const USAGE_OF_RUN = `(SELECT jsonb_agg(u ORDER BY u.model, u.capability) FROM (
  SELECT model, capability, sum(input_tokens)::bigint AS input_tokens,
    sum(output_tokens)::bigint AS output_tokens,
    sum(cached_input_tokens)::bigint AS cached_input_tokens, sum(units)::bigint AS units,
    sum(credits_micros)::bigint AS micros
  FROM run_usage WHERE run_id = r.id GROUP BY model, capability) u)`;

/** The columns of a run `r`. */
export const RUN_COLUMNS = selectList(RUN_FIELDS, "r", { usage: USAGE_OF_RUN });

/** What a replay takes over of a run `r` that its view does not show: what bounds it. */
export const REPLAYED_COLUMNS = columnList(RUN_FIELDS, REPLAYED_INNER, "r");

export function toUsage(sums: readonly UsageSum[] | null): Usage {
  const rows = sums ?? [];
  const micros = rows.reduce((sum, row) => sum + row.micros, 0);
  return {
    credits: toCredits(micros),
    breakdown: rows.map((row) => ({
      model: row.model,
      capability: row.capability,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cached_input_tokens: row.cached_input_tokens,
      units: row.units,
      credits: toCredits(row.micros),
    })),
  };
}

export function toRunView(row: RunRow): RunView {
  return { ...row, usage: toUsage(row.usage) };
}

/** The statement that reads one run as `getRun` does, with further columns of its row `r`. */
export const oneRun = (more = "") =>
  `SELECT ${RUN_COLUMNS}${more} FROM runs r WHERE r.id = $1 AND r.account_id = $2
     AND r.kind = ANY($3) AND ($4::uuid IS NULL OR r.agent_id = $4)
     AND ${seenByClient("r", "$5", "$6")}`;

/** What that statement is given. */
export const oneRunValues = (principal: Principal, runId: string, kinds: readonly RunKind[]) => [
  ...[runId, principal.accountId, kinds, principal.agentId],
  ...clientValues(principal),
];

export const noSuchRun = () => new ServiceError("RUN_NOT_FOUND", "There is no such run.");

const GET_RUN = oneRun();

/**
 * A run of the account and of one of `kinds`, with its usage, in one read. @throws ServiceError
 * RUN_NOT_FOUND
 */
export async function getRun(
  principal: Principal,
  runId: string,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<RunView> {
  const { rows } = await keyedReads().query<RunRow>({
    name: "get-run",
    text: GET_RUN,
    values: oneRunValues(principal, runId, kinds),
  });
  if (!rows[0]) throw noSuchRun();
  return toRunView(rows[0]);
}

/**
 * Whether a run that the engine waits for has ended, waits for somebody itself, or is gone. What is
 * being written of it is waited for: it tells those that wait within its own transaction, and one
 * whose wait was stored meanwhile is not among them.
 * @param isHeld whoever waits for it waits for its credits, too: lacking them it has not stopped
 */
export async function hasStopped(runId: string, isHeld = false): Promise<boolean> {
  const { rowCount } = await postgres().query(
    `SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NULL
       AND (requires_action IS NULL OR ($2 AND requires_action ->> 'type' = ANY($3))) FOR SHARE`,
    [runId, isHeld, BUDGET_ACTIONS],
  );
  return rowCount === 0;
}
