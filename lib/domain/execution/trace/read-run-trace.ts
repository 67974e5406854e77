import "server-only";
import {
  type SealedSecret,
  sealedOf,
  secretRedactor,
} from "@/lib/domain/execution/run/secret-redactor";
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
    postgres().query<SealedSecret>(`${sealedOf("$1")} ORDER BY name`, [run.accountId]),
    readTraceRows(run, true),
    postgres().query<{ origin: RunOrigin }>(
      "SELECT origin FROM runs WHERE id = $1 AND account_id = $2",
      [run.id, run.accountId],
    ),
  ]);
  const { results } = await secretRedactor(run.accountId, secrets.rows);
  const spans = await toTraceSpans(run, rows, (text, length) => shown(text, length, results));
  const hosts =
    origin.rows[0]?.origin === "agent"
      ? []
      : [...hostsOfPerson(run.input as JsonValue)].slice(0, HOSTS_SHOWN); // JSON when it was accepted
  if (hosts.length === 0) return spans;
  const attributes = { hosts_named: hosts.map((host) => results.redact(host)) };
  return spans.map((span) =>
    span.kind === "queue" ? { ...span, attributes: { ...span.attributes, ...attributes } } : span,
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
