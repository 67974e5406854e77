import "server-only";
import { chargeRun } from "@/lib/domain/credits/ledger";
import {
  askCover,
  BudgetShort,
  chargeOf,
  noteLoss,
  type Used,
} from "@/lib/domain/execution/pay/paid-call";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { RunHasEnded } from "@/lib/domain/execution/session/with-run-log";
import { artifactPort } from "@/lib/domain/execution/tools/dispatch-tool";
import { storeRunSpans } from "@/lib/domain/execution/trace/run-spans";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { toUsage } from "@/lib/domain/runs/run-view";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { trimBoth } from "@/lib/model/text/trim";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction, withinAccount } from "@/lib/platform/postgres";
import {
  type MediaRequest,
  MediaUnusable,
  makeMedia,
  priceOfMedia,
  unitsOf,
} from "@/lib/runtime/models/media";
import { estimateMicros } from "@/lib/runtime/models/prices";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { MediaPort, MemoryPort, Note } from "@/lib/runtime/tools/tool-ports";

/** For one end-user of an agent. */
const NOTES_MAX = 200;
const NOTES_PER_ACCOUNT_MAX = 10_000;

/**
 * Whose notes a run sees: those of its agent about the end-user that its caller named, or about
 * none.
 */
const SCOPE = `account_id = $1 AND agent_id = $2
     AND end_user = (SELECT coalesce(r.end_user, '') FROM runs r WHERE r.id = $3)`;

/** The notes of an agent, for one run of it. */
export function memoryPort(
  { id: runId, accountId }: Pick<LoadedRun, "id" | "accountId">,
  agentId: string,
): MemoryPort {
  const scope = [accountId, agentId, runId];
  return {
    async list(search) {
      const { rows } = await postgres().query<Note>(
        `SELECT id, text FROM agent_memories
         WHERE ${SCOPE} AND ($4::text IS NULL OR strpos(lower(text), lower($4)) > 0)
         ORDER BY id DESC LIMIT ${NOTES_MAX}`,
        [...scope, search],
      );
      return rows;
    },
    save: (text, toolCallId) => save(scope, text, toolCallId),
    async update(noteId, text) {
      const { rowCount } = await postgres().query(
        `UPDATE agent_memories SET text = $5, updated_at = now() WHERE ${SCOPE} AND id = $4`,
        [...scope, noteId, text],
      );
      return rowCount !== 0;
    },
    async remove(noteId) {
      const { rowCount } = await postgres().query(
        `DELETE FROM agent_memories WHERE ${SCOPE} AND id = $4`,
        [...scope, noteId],
      );
      return rowCount !== 0;
    },
  };
}

/**
 * Saved once for one call, however often it is made. Notes of one account are saved one after
 * another, so that none is one too many.
 */
async function save(scope: string[], text: string, toolCallId: string): Promise<Note> {
  return transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('memories:' || $1, 0))", [
      scope[0],
    ]);
    const { rows } = await tx.query<Note>(
      `INSERT INTO agent_memories AS m (id, account_id, agent_id, end_user, text, made_by_run,
         made_by_call)
       SELECT $4, $1, $2, coalesce(r.end_user, ''), $5, $3, $6 FROM runs r
       WHERE r.id = $3 AND r.account_id = $1 AND (SELECT count(*) FROM agent_memories
         WHERE ${SCOPE} AND (made_by_run, made_by_call) <> ($3, $6)) < ${NOTES_MAX}
         AND (SELECT count(*) FROM agent_memories WHERE account_id = $1) < ${NOTES_PER_ACCOUNT_MAX}
       ON CONFLICT (made_by_run, made_by_call) DO UPDATE SET made_by_call = m.made_by_call
       RETURNING id, text`,
      [...scope, newId(), text, toolCallId],
    );
    const [note] = rows;
    if (!note)
      throw new ToolFailure(
        `No more notes can be kept: at most ${NOTES_MAX} about one person. Nothing was noted; ` +
          "update or delete one first.",
      );
    return note;
  });
}

/**
 * Makes what a run's model asks for by a model that makes images, speech or video: covered before
 * the call, as a turn is (decision 0019), charged behind it under a name of its own, and kept as an
 * artifact. What a crash made be done again is paid once.
 */
export function mediaPort(run: LoadedRun): MediaPort {
  return {
    async make(model, request, title, { toolCallId, signal, emit }) {
      const artifacts = artifactPort(run, toolCallId);
      const kept = await artifacts.find();
      if (kept) return kept;
      await cover(run, model, request);
      const { results } = await secretRedactor(run.accountId, run.surroundings.secrets);
      const startedAt = performance.now();
      const made = await makeMedia(model, request, env(), signal, results.redact).catch(
        async (error: unknown) => {
          // What the vendor bills for it nobody here is charged for: the run has nothing of it.
          if (signal.aborted || error instanceof MediaUnusable)
            await noteLoss(
              run,
              usedMedia(run, model, request),
              signal.aborted ? "aborted" : "unusable",
            );
          return toToolFailure(error);
        },
      );
      await charge(run, model, request, { toolCallId, tookMs: performance.now() - startedAt });
      emit({ type: "usage.updated", usage: toUsage(run.cost.usage) });
      return artifacts.create({
        title,
        name: `${fileName(title, request.kind)}${made.ending}`,
        type: made.mediaType,
        content: made.bytes,
      });
    },
  };
}

/**
 * A run that cannot pay for it waits for credits, or goes on without. @throws BudgetShort;
 * ToolFailure; RunHasEnded
 */
async function cover(run: LoadedRun, model: MediaModel, request: MediaRequest): Promise<void> {
  const price = priceOf(model, request);
  const limits = runLimits(run);
  const { is } = await askCover(run, limits, price, price);
  if (is === "ended") throw new RunHasEnded();
  if (is === "short" && limits.waitsForCredits) throw new BudgetShort(price);
  if (is === "short")
    throw new ToolFailure(
      `Nothing was made: ${model.id} would cost ${Number(price) / 1_000_000} credits, and there ` +
        "are not as many left. Go on without.",
    );
}

/** @throws ToolFailure for a size that the model does not take */
function priceOf(model: MediaModel, request: MediaRequest): bigint {
  try {
    return priceOfMedia(model, request);
  } catch (error) {
    return toToolFailure(error);
  }
}

async function charge(
  run: LoadedRun,
  model: MediaModel,
  request: MediaRequest,
  { toolCallId, tookMs }: { toolCallId: string; tookMs: number },
): Promise<void> {
  const { id, capability } = model;
  const stepKey = `${toolCallId}-${capability}`;
  const used = usedMedia(run, model, request);
  const charged = chargeOf(run, runLimits(run), stepKey, used);
  await withinAccount(run.accountId, () => chargeRun(postgres(), charged));
  const turn = run.transcript.turnOf(toolCallId)?.turn ?? 0;
  const times = { ago_ms: tookMs, took_ms: tookMs };
  const attributes = { charge: stepKey, capability, units: used.units };
  await storeRunSpans(run.id, [
    {
      id: newId(),
      turn,
      kind: "model",
      name: id,
      status: "succeeded",
      ...times,
      attributes,
      output: null,
      error: null,
    },
  ]);
  await run.cost.refresh();
}

/** What a media model's work used; it has no tokens. */
function usedMedia(run: LoadedRun, model: MediaModel, request: MediaRequest): Used {
  return {
    model: model.id,
    capability: model.capability,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    units: unitsOf(request),
    micros: priceOfMedia(model, request),
    keepMicros: estimateMicros(run.model, "", env()),
  };
}

function toToolFailure(error: unknown): never {
  throw error instanceof RunFailure ? new ToolFailure(error.message) : error;
}

const NAME_MAX_CHARACTERS = 60;

/** A file name of a title's letters and digits. */
function fileName(title: string, kind: string): string {
  const dashed = title.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = trimBoth(dashed.slice(0, NAME_MAX_CHARACTERS), "-").toLowerCase().toWellFormed();
  return name === "" ? kind : name;
}
