import "server-only";
import { chargeRun, coverCall } from "@/lib/domain/credits/ledger";
import { artifactPort } from "@/lib/domain/execution/dispatch-tool";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { readCost } from "@/lib/domain/execution/read-cost";
import { payerOf, runLimits } from "@/lib/domain/execution/run-limits";
import { storeRunSpans } from "@/lib/domain/execution/run-spans";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import { RunHasEnded } from "@/lib/domain/execution/with-run-log";
import { toUsage } from "@/lib/domain/runs/run-view";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import type { MediaModel } from "@/lib/runtime/models/available-models";
import { type MediaRequest, makeMedia, unitsOf } from "@/lib/runtime/models/media";
import { estimateMicros, priceUnits } from "@/lib/runtime/models/prices";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { MediaPort } from "@/lib/runtime/tools/tool-ports";

/**
 * Makes what a run's model asks for by a model that makes images, speech or video: covered before the call, as a turn is (decision 0019), charged behind
 * it under a name of its own, and kept as an artifact. What a crash made be done again is paid once.
 */
export function mediaPort(run: LoadedRun): MediaPort {
  return {
    async make(model, request, title, { toolCallId, signal, emit }) {
      const artifacts = artifactPort(run, toolCallId);
      const kept = await artifacts.find();
      if (kept) return kept;
      await cover(run, model, request);
      const { results } = await secretRedactor(run.accountId, run.secrets);
      const startedAt = performance.now();
      const made = await makeMedia(model, request, env(), signal, results.redact).catch(toToolFailure);
      await charge(run, model, request, { toolCallId, tookMs: performance.now() - startedAt });
      emit({ type: "usage.updated", usage: toUsage(run.usage) });
      return artifacts.create({ title, name: `${fileName(title, request.kind)}${made.ending}`, type: made.mediaType, content: made.bytes });
    },
  };
}

/** A run that cannot pay for it can go on without. @throws ToolFailure; RunHasEnded */
async function cover(run: LoadedRun, { id, unit_price }: MediaModel, request: MediaRequest): Promise<void> {
  const price = priceUnits(unit_price, unitsOf(request));
  try {
    if ((await coverCall(payerOf(run, runLimits(run)), price, price)) === null) throw new RunHasEnded();
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    throw new ToolFailure(
      `Nothing was made: ${id} would cost ${Number(price) / 1_000_000} credits, and there are not as many left. Go on without.`,
    );
  }
}

async function charge(
  run: LoadedRun,
  { id, capability, unit_price }: MediaModel,
  request: MediaRequest,
  { toolCallId, tookMs }: { toolCallId: string; tookMs: number },
): Promise<void> {
  const units = unitsOf(request);
  const stepKey = `${toolCallId}-${capability}`;
  const tokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  const price = { micros: priceUnits(unit_price, units), keepMicros: estimateMicros(run.model, "", env()), units };
  const charged = { ...payerOf(run, runLimits(run)), agentId: run.agent?.id ?? null, stepKey, model: id, capability, ...tokens, ...price };
  await withinAccount(run.accountId, () => chargeRun(postgres(), charged));
  const turn =
    run.turns.find(({ content }) => content.some((part) => part.type === "tool-call" && part.toolCallId === toolCallId))?.turn ?? 0;
  const times = { ago_ms: tookMs, took_ms: tookMs };
  const attributes = { charge: stepKey, capability, units };
  await storeRunSpans(run.id, [
    { id: newId(), turn, kind: "model", name: id, status: "succeeded", ...times, attributes, output: null, error: null },
  ]);
  await readCost(run);
}

function toToolFailure(error: unknown): never {
  throw error instanceof RunFailure ? new ToolFailure(error.message) : error;
}

const NAME_MAX_CHARACTERS = 60;

/** A file name of a title's letters and digits. */
function fileName(title: string, kind: string): string {
  const name = title
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, NAME_MAX_CHARACTERS)
    .replace(/^-+|-+$/g, "")
    .toLowerCase()
    .toWellFormed();
  return name === "" ? kind : name;
}
