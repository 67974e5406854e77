import "server-only";
import { createHash } from "node:crypto";
import { type Charge, chargeRun } from "@/lib/domain/credits/ledger";
import type { StoredToolResult, StoredTurn } from "@/lib/domain/execution/run/transcript";
import { toStorableJson } from "@/lib/domain/execution/tools/tool-call";
import { type RunSpan, toSpanParts } from "@/lib/domain/execution/trace/run-spans";
import { callSql } from "@/lib/platform/call-sql";
import { postgres, type Queryable, transaction, withinAccount } from "@/lib/platform/postgres";

/** What is kept of a call beside its result. */
export interface CallNote {
  /** How it came by its result. */
  by: "works" | "reads" | "answers" | "refused";
  /** A run would have asked a person first. */
  asks: boolean;
}

interface Line {
  turn?: StoredTurn;
  result?: StoredToolResult & CallNote;
}

/** A turn of a run, and the call of it. */
interface Within {
  turn: number;
  toolCallId: string | null;
}

interface Timed {
  /** By the clock of `performance`. */
  startedAt: number;
}

/**
 * What a shadow run has said and been given, kept among the spans of the run that it serves: so its
 * trace shows it, and a step that is repeated after a crash goes on where it was.
 */
export class ShadowLog {
  #lines = 0;

  private constructor(
    readonly run: { id: string; accountId: string },
    readonly key: string,
    readonly within: Within,
  ) {}

  /**
   * @param key names it within the run
   * @param within where in the run that it serves it is made
   * @returns with the turns and results that there are
   */
  static async open(
    run: { id: string; accountId: string },
    key: string,
    within: Within,
  ): Promise<{ log: ShadowLog; turns: StoredTurn[]; results: Required<Line>["result"][] }> {
    const { rows } = await postgres().query<{ output: Line | null }>(
      `SELECT s.output FROM run_spans s JOIN runs r ON r.id = s.run_id AND r.account_id = $2
       WHERE s.run_id = $1 AND s.attributes ->> 'shadow' = $3 AND s.output IS NOT NULL
       ORDER BY (s.attributes ->> 'line')::int`,
      [run.id, run.accountId, key],
    );
    const log = new ShadowLog(run, key, within);
    log.#lines = rows.length;
    return {
      log,
      turns: rows.flatMap(({ output }) => output?.turn ?? []),
      results: rows.flatMap(({ output }) => output?.result ?? []),
    };
  }

  /** Keeps a turn and pays for it, both or neither. */
  async addTurn(turn: StoredTurn, charge: Charge, timed: Timed): Promise<void> {
    await withinAccount(this.run.accountId, () =>
      transaction(async (tx) => {
        await chargeRun(tx, charge);
        await this.#add(tx, { turn }, timed, {
          kind: "model",
          name: turn.model,
          status: "succeeded",
          attributes: { charge: charge.stepKey, finish_reason: turn.finishReason },
        });
      }),
    );
  }

  async addResult(result: StoredToolResult & CallNote, timed: Timed): Promise<void> {
    await this.#add(postgres(), { result }, timed, {
      kind: "tool",
      name: result.name,
      status: result.succeeded ? "succeeded" : "failed",
      attributes: { tool_call_id: result.toolCallId, by: result.by },
    });
  }

  async #add(
    on: Queryable,
    output: Line,
    { startedAt }: Timed,
    span: Pick<RunSpan, "kind" | "name" | "status" | "attributes">,
  ): Promise<void> {
    const line = this.#lines++;
    const tookMs = performance.now() - startedAt;
    const whole: RunSpan = {
      ...span,
      id: idOf(`${this.run.id} ${this.key} ${line}`),
      turn: this.within.turn,
      ago_ms: tookMs,
      took_ms: tookMs,
      attributes: {
        ...span.attributes,
        shadow: this.key,
        line,
        ...(this.within.toolCallId !== null && { within: this.within.toolCallId }),
      },
      output: JSON.parse(toStorableJson(output)) as Line, // the same, as Postgres takes it
      error: null,
    };
    await callSql(on, "store_run_spans", { run: this.run.id, spans: toSpanParts([whole]) });
  }
}

/** The same line has the same id, in whatever process: what is there already stays. */
function idOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
