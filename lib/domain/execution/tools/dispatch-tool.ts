import "server-only";
import { removeBytes, reserveStorage, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { seesImages, takesPdf } from "@/lib/domain/execution/prompt/prompt-files";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { filesPort, holderOf } from "@/lib/domain/execution/tools/files-port";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { waitOutside } from "@/lib/engine/drive";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { DEFAULT_CODE_SECONDS } from "@/lib/model/limits";
import type { Artifact } from "@/lib/model/run/run-result";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";
import { redactedTool } from "@/lib/runtime/tools/resolve-tools";
import { executeTool, type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import type { ArtifactPort, NewArtifact } from "@/lib/runtime/tools/tool-ports";
import type { Artifact as ArtifactRow } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/**
 * Runs one call of a tool, which `authorizeToolCall` has let pass. No secret of the account is left
 * in what comes back.
 * @param outputMaxTokens what is left for its output in the model's window; null: no window to
 * speak of
 */
export async function dispatchTool(
  run: LoadedRun,
  tool: RuntimeTool,
  call: ToolCall,
  step: RunStep,
  outputMaxTokens: number | null,
): Promise<ToolResult> {
  const { results, output } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const surroundings = {
    runId: run.id,
    accountId: run.accountId,
    toolCallId: call.toolCallId,
    isResumed: call.isResumed,
    signal: step.signal,
    untimed: step.untimed,
    files: filesPort(holderOf(run), call.toolCallId, results),
    artifacts: artifactPort(run, call.toolCallId),
    codeSeconds: Math.min(
      run.agent?.config.limits?.code_seconds ?? DEFAULT_CODE_SECONDS,
      env().CODE_SECONDS_MAX,
    ),
    seesImages: seesImages(run),
    takesPdf: takesPdf(run),
    ...(!results.isEmpty && {
      ...{ redact: results.redactInSteps, redactSpoken: output.redactInSteps },
    }),
    emit: (event: Parameters<RunStep["log"]["append"]>[0]) => step.log.append(event),
    todo: run.surroundings.todo,
    ...(outputMaxTokens !== null && { outputMaxTokens }),
  };
  // Connectors wait for others' servers, the sandbox and the readers of documents for places of
  // their own.
  return waitOutside(() =>
    executeTool(redactedTool(tool, results.redactInSteps), call.input, surroundings),
  );
}

/**
 * Keeps what one tool call makes; called again after a crash it answers the artifact that is there.
 * Its bytes count against the account's quota.
 */
export function artifactPort(
  run: { id: string; accountId: string },
  toolCallId: string,
): ArtifactPort & { /** What the call has made already. */ find(): Promise<Artifact | null> } {
  const find = () =>
    prisma().artifact.findUnique({
      where: { runId_stepKey: { runId: run.id, stepKey: toolCallId }, accountId: run.accountId },
    });
  return {
    async find() {
      const existing = await find();
      return existing && toArtifact(existing);
    },
    async create(made) {
      return toArtifact((await find()) ?? (await insert(run, toolCallId, made)));
    },
  };
}

async function insert(
  run: { id: string; accountId: string },
  stepKey: string,
  made: NewArtifact,
): Promise<ArtifactRow> {
  const stored = await storeBytes(run.accountId, toBytes(made.content));
  const id = newId();
  try {
    const keep = async (tx: Transaction) => {
      await reserveStorage(tx, run.accountId, BigInt(stored.sizeBytes));
      await tx.query(
        `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type,
           size_bytes, sha256, storage_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          run.id,
          run.accountId,
          stepKey,
          made.title,
          made.name,
          made.type,
          stored.sizeBytes,
          stored.sha256,
          stored.storageKey,
        ],
      );
    };
    await withinAccount(run.accountId, () => transaction(keep));
  } catch (error) {
    await removeBytes(stored.storageKey);
    if (error instanceof ServiceError) throw new ToolFailure(error.message);
    throw error;
  }
  return prisma().artifact.findUniqueOrThrow({ where: { id } });
}

function toBytes(content: NewArtifact["content"]): ReadableStream<Uint8Array> {
  return content instanceof ReadableStream ? content : new Blob([content]).stream();
}

/** As the log keeps it: the url names the artifact and is signed when it is shown. */
function toArtifact(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    title: row.title,
    type: row.contentType,
    url: `artifact:${row.id}`,
    name: row.name,
    size_bytes: Number(row.sizeBytes),
  };
}
