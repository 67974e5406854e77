import "server-only";
import { readSealed, secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { Principal } from "@/lib/domain/principal";
import { getRun } from "@/lib/domain/runs/run-view";
import { readTraceRows, type Show, toTraceSpans } from "@/lib/domain/runs/trace-spans";
import { hostsOfPerson } from "@/lib/model/agent-config/web-hosts";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import type { RunOrigin } from "@/lib/model/run/run-status";
import type { TraceSpan } from "@/lib/model/run/trace-span";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { inSlices } from "@/lib/platform/in-slices";
import { postgres } from "@/lib/platform/postgres";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";

/** What of an input or an output is shown. */
const SHOWN_MAX_BYTES = 65_536;
/** Hosts that the input names, from which the run may fetch unasked. */
const HOSTS_SHOWN = 50;

/**
 * What an account's run did, span by span in the order of their start: from its wait for a place to
 * the deliveries of its webhook. No secret of the account is in it; long inputs and outputs are
 * cut.
 * @throws ServiceError RUN_NOT_FOUND
 */
export async function readRunTrace(principal: Principal, runId: string): Promise<TraceSpan[]> {
  const run = await getRun(principal, runId);
  const [secrets, rows, origin] = await Promise.all([
    readSealed(run.id, run.accountId),
    readTraceRows(run, true),
    postgres().query<{ origin: RunOrigin }>(
      "SELECT origin FROM runs WHERE id = $1 AND account_id = $2",
      [run.id, run.accountId],
    ),
  ]);
  const { results } = await secretRedactor(run.accountId, secrets);
  const spans = await toTraceSpans(run, rows, (text, length) => shown(text, length, results));
  const hosts =
    origin.rows[0]?.origin === "agent"
      ? []
      : // JSON when it was accepted.
        [...hostsOfPerson(run.input as JsonValue)].slice(0, HOSTS_SHOWN);
  if (hosts.length === 0) return spans;
  const attributes = { hosts_named: hosts.map((host) => results.redact(host)) };
  return spans.map((span) =>
    span.kind === "queue" ? { ...span, attributes: { ...span.attributes, ...attributes } } : span,
  );
}

/** What a run's model was shown from a turn on, beside what was said. */
interface ShownPrompt {
  /** The first turn that was shown it. */
  turn: number;
  /** SHA-256 of the system prompt and the tools: runs that were shown the same have the same. */
  hash: string;
  /** Null where it is too long to be shown, as are the tools. */
  system: JsonValue;
  /** `{name, description, inputSchema}` each. */
  tools: JsonValue;
  truncated: boolean;
}

/** Every compaction begins a new one. */
const PROMPTS_MAX = 100;

/**
 * The system prompts and tools that an account's run was shown, in the order of their turns: mostly
 * one, from its first turn on. As in the trace, no secret of the account is in it.
 * @throws ServiceError RUN_NOT_FOUND
 */
export async function readRunPrompts(principal: Principal, runId: string): Promise<ShownPrompt[]> {
  const run = await getRun(principal, runId);
  const { rows } = await postgres().query<{
    turn: number;
    hash: string;
    system: string | null;
    tools: string | null;
  }>(
    `SELECT f.turn, f.hash, p.system, p.tools FROM run_prompts f
     LEFT JOIN prompts p ON p.account_id = f.account_id AND p.hash = f.hash
     WHERE f.run_id = $1 AND f.account_id = $2 ORDER BY f.turn LIMIT ${PROMPTS_MAX}`,
    [run.id, run.accountId],
  );
  const { results } = await secretRedactor(run.accountId, await readSealed(run.id, run.accountId));
  return Promise.all(
    rows.map(async ({ turn, hash, system, tools }) => {
      const text = system === null ? null : JSON.stringify(system);
      const [ofSystem, ofTools] = await Promise.all([
        shown(text, text?.length ?? null, results),
        shown(tools, tools?.length ?? null, results),
      ]);
      const truncated = ofSystem.truncated || ofTools.truncated;
      return { turn, hash, system: ofSystem.value, tools: ofTools.value, truncated };
    }),
  );
}

/**
 * A JSON text as it is shown: its value, or the beginning of the text where it is too long.
 * Redacted before it is cut: half a secret is not found any more.
 */
async function shown(
  text: string | null,
  length: number | null,
  redactor: Redactor,
): ReturnType<Show> {
  if (length === null) return { value: null, truncated: false };
  if (text === null) return { value: null, truncated: true };
  if (length <= SHOWN_MAX_BYTES && Buffer.byteLength(text) <= SHOWN_MAX_BYTES) {
    const value = JSON.parse(text) as JsonValue; // a jsonb column's text
    return { value: await inSlices(redactJson(value, redactor.redactInSteps)), truncated: false };
  }
  return { value: beginning(await inSlices(redactor.redactInSteps(text))), truncated: true };
}

/** As many whole characters of a text as there is room for. */
function beginning(text: string): string {
  const room = new Uint8Array(SHOWN_MAX_BYTES);
  return text.slice(0, new TextEncoder().encodeInto(text, room).read);
}
