import "server-only";
import { readSealed, secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { Principal } from "@/lib/domain/principal";
import {
  describeShown,
  describeUnkept,
  type ShownPlace,
  shownTarget,
} from "@/lib/domain/runs/receipts/describe-call";
import {
  noSuchRun,
  oneRun,
  oneRunValues,
  type RunRow,
  type RunView,
  toRunView,
} from "@/lib/domain/runs/run-view";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import {
  ACTIONS_MAX,
  type ActionFacts,
  type ActionStatus,
  type RunActions,
} from "@/lib/model/run/run-action";
import { AGENT_ROUTE_KINDS, isTerminal, type RunKind } from "@/lib/model/run/run-status";
import { inSlices } from "@/lib/platform/in-slices";
import { keyedReads, postgres } from "@/lib/platform/postgres";

/**
 * A run as it is shown by itself: with what it did and read where it has ended, in the same read.
 * @throws ServiceError RUN_NOT_FOUND
 */
export async function getRunAndActions(
  principal: Principal,
  runId: string,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<{ run: RunView; actions: RunActions | null }> {
  const { rows } = await keyedReads().query<RunRow & { stored: StoredActions | null }>({
    name: "get-run-and-actions",
    text: RUN_AND_ACTIONS,
    values: oneRunValues(principal, runId, kinds),
  });
  if (!rows[0]) throw noSuchRun();
  const { stored, ...row } = rows[0];
  const run = toRunView(row);
  return { run, actions: isTerminal(run.status) ? await toActions(run, stored) : null };
}

/**
 * What an ended run did and read, call by call, from what it has stored: what a call went to as it
 * was made, and how it ended. A call that has no answer is `unknown`, whatever the run came to.
 * One statement; another two where a call ended without one of its own kept, as those of older
 * versions did. Null while the run is at work: then nothing is read.
 */
export async function readRunActions(
  run: Pick<RunView, "id" | "accountId" | "status">,
): Promise<RunActions | null> {
  if (!isTerminal(run.status)) return null;
  const { rows } = await keyedReads().query<{ stored: StoredActions }>({
    name: "run-actions",
    text: ACTIONS,
    values: [run.id, run.accountId],
  });
  return toActions(run, rows[0]?.stored ?? null);
}

async function toActions(
  run: Pick<RunView, "id" | "accountId">,
  stored: StoredActions | null,
): Promise<RunActions> {
  const calls = [...(stored?.open ?? []).toReversed(), ...(stored?.answered ?? [])];
  const newest = calls.slice(0, ACTIONS_MAX).toReversed();
  const approvals = new Map((stored?.approvals ?? []).map((one) => [one.call, one]));
  const ended = newest.map((call) => {
    const approval = approvals.get(call.id) ?? null;
    return { call, approval, status: statusOf(call, approval) };
  });
  const described = await describeAll(run, ended);
  const artifacts = stored?.artifacts ?? [];
  return {
    isTruncated: calls.length > ACTIONS_MAX,
    actions: ended.map(({ call, approval, status }, index) => {
      const { kind, target } = described[index] ?? { kind: "write", target: call.tool };
      return {
        ...{ id: call.id, tool: call.tool, kind, target, status },
        approvalId: approval?.id ?? null,
        artifactIds: artifacts.filter((made) => made.call === call.id).map(({ id }) => id),
        at: new Date(call.at),
      };
    }),
  };
}

/** A call that was asked for. `succeeded` null: nothing came of it. */
interface StoredCall {
  id: string;
  tool: string;
  turn: number;
  at: string;
  succeeded: boolean | null;
  action: ActionFacts | null;
}

/** What was decided last about a call. */
interface Decided {
  id: string;
  call: string;
  status: "pending" | "approved" | "rejected" | "expired";
  shown: ShownPlace;
}

interface StoredActions {
  answered: StoredCall[] | null;
  open: StoredCall[] | null;
  approvals: Decided[] | null;
  artifacts: { id: string; call: string }[] | null;
}

// A turn follows when all calls of the one before have their results: only the last can lack some.
// What a program that carries out a tool has posted is an answer, also where the run ended on it.
const STORED = `jsonb_build_object(
  'answered', (SELECT jsonb_agg(a) FROM (
    SELECT s.tool_call_id AS id, s.name AS tool, s.turn, coalesce(s.started_at, s.created_at) AS at,
      s.succeeded, s.action
    FROM run_tool_results s WHERE s.run_id = r.id
    ORDER BY s.turn DESC, s.created_at DESC, s.tool_call_id DESC LIMIT ${ACTIONS_MAX + 1}) a),
  'open', (SELECT jsonb_agg(o) FROM (
    SELECT c.part ->> 'toolCallId' AS id, c.part ->> 'toolName' AS tool, t.turn,
      coalesce(k.created_at, t.created_at) AS at, k.succeeded, NULL AS action
    FROM (SELECT turn, content, created_at FROM run_turns WHERE run_id = r.id ORDER BY turn DESC
      LIMIT 1) t
    CROSS JOIN LATERAL jsonb_array_elements(t.content) WITH ORDINALITY AS c(part, place)
    LEFT JOIN client_tool_calls k ON k.run_id = r.id AND k.tool_call_id = c.part ->> 'toolCallId'
    WHERE c.part ->> 'type' = 'tool-call'
      AND NOT EXISTS (SELECT 1 FROM run_tool_results s WHERE s.run_id = r.id
          AND s.tool_call_id = c.part ->> 'toolCallId')
    ORDER BY c.place LIMIT ${ACTIONS_MAX + 1}) o),
  'approvals', (SELECT jsonb_agg(d) FROM (
    SELECT DISTINCT ON (call) p.id, coalesce(p.tool_call_id, p.shown ->> 'tool_call_id') AS call,
      p.status,
      jsonb_build_object('tool_kind', p.shown -> 'tool_kind', 'method', p.shown -> 'method',
        'target', p.shown -> 'target') AS shown
    FROM approvals p WHERE p.run_id = r.id AND p.account_id = r.account_id
    ORDER BY call, p.id DESC) d),
  'artifacts', (SELECT jsonb_agg(jsonb_build_object('id', f.id, 'call', f.step_key) ORDER BY f.id)
   FROM artifacts f WHERE f.run_id = r.id AND f.account_id = r.account_id))`;

const ACTIONS = `SELECT ${STORED} AS stored FROM runs r WHERE r.id = $1 AND r.account_id = $2`;

/** Of a run at work nothing is looked for. */
const RUN_AND_ACTIONS = oneRun(
  `, CASE WHEN r.completed_at IS NOT NULL THEN ${STORED} END AS stored`,
);

function statusOf(call: StoredCall, approval: Decided | null): ActionStatus {
  if (call.succeeded === true) return "succeeded";
  if (call.action?.status) return call.action.status;
  if (approval && approval.status !== "approved") return "refused";
  return call.succeeded === false ? "failed" : "unknown";
}

interface EndedCall {
  call: StoredCall;
  approval: Decided | null;
  status: ActionStatus;
}

/** What was kept as the call was made; of the others what the run, and its agent, still say. */
async function describeAll(
  run: Pick<RunView, "id" | "accountId">,
  ended: readonly EndedCall[],
): Promise<Pick<ActionFacts, "kind" | "target">[]> {
  const unkept = ended.filter(({ call }) => call.action === null).map(({ call }) => call);
  if (unkept.length === 0) return ended.flatMap(({ call }) => call.action ?? []);
  const values = [run.id, run.accountId, [...new Set(unkept.map(({ turn }) => turn))]];
  const [turns, secrets] = await Promise.all([
    postgres().query<TurnRow>(TURNS, values),
    readSealed(run.id, run.accountId),
  ]);
  const { results } = await secretRedactor(run.accountId, secrets);
  const byTurn = new Map(turns.rows.map((row) => [row.turn, row]));
  return Promise.all(
    ended.map(async ({ call, approval, status }) => {
      if (call.action) return call.action;
      const row = byTurn.get(call.turn);
      const called = { name: call.tool, input: row?.inputs?.[call.id] ?? null };
      const { kind, target } =
        status === "refused" && approval && approval.shown.tool_kind !== null
          ? describeShown(called, approval.shown)
          : describeUnkept(called, row?.config ? effectiveConfig(row.config) : null);
      return { kind, target: shownTarget(await inSlices(results.redactInSteps(target))) };
    }),
  );
}

interface TurnRow {
  turn: number;
  inputs: { [toolCallId: string]: JsonValue } | null;
  config: AgentConfig | null;
}

/** What names a call's target is short; a text that is to be written is not read for it. */
const INPUT_MAX_CHARACTERS = 20_000;

const TURNS = `
SELECT t.turn, v.config, (SELECT jsonb_object_agg(c.part ->> 'toolCallId', c.part -> 'input')
  FROM jsonb_array_elements(t.content) AS c(part)
  WHERE c.part ->> 'type' = 'tool-call'
    AND length((c.part -> 'input')::text) <= ${INPUT_MAX_CHARACTERS}) AS inputs
FROM runs r JOIN run_turns t ON t.run_id = r.id
LEFT JOIN agent_versions v ON v.id = t.agent_version_id AND v.agent_id = r.agent_id
WHERE r.id = $1 AND r.account_id = $2 AND t.turn = ANY($3)`;
