import "server-only";
import {
  fileStore,
  removeBytes,
  reserveStorage,
  storeBytes,
} from "@/lib/domain/blobs/stored-bytes";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { seesImages } from "@/lib/domain/execution/prompt-images";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { commitFile } from "@/lib/domain/files/save-file";
import { searchWorkspace } from "@/lib/domain/files/search-files";
import { systemPrincipal } from "@/lib/domain/principal";
import { waitOutside } from "@/lib/engine/drive";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { checkFilePath } from "@/lib/model/file-path";
import { DEFAULT_CODE_SECONDS } from "@/lib/model/limits";
import type { Artifact } from "@/lib/model/run/run-result";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";
import { toFileName } from "@/lib/runtime/tools/keep-files";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { redactedTool } from "@/lib/runtime/tools/resolve-tools";
import { executeTool, type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import type {
  ArtifactPort,
  NewArtifact,
  RunFilesPort,
  WorkspacePort,
} from "@/lib/runtime/tools/tool-ports";
import type { Artifact as ArtifactRow, WorkspaceFile } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/**
 * Runs one call of a tool, which `authorizeToolCall` has let pass. No secret of the account is left
 * in what comes back.
 * @param outputMaxTokens what is left for its output in the model's window; null: no window to speak of
 */
export async function dispatchTool(
  run: LoadedRun,
  tool: RuntimeTool,
  call: ToolCall,
  step: RunStep,
  outputMaxTokens: number | null,
): Promise<ToolResult> {
  const { results } = await secretRedactor(run.accountId, run.secrets);
  const surroundings = {
    runId: run.id,
    accountId: run.accountId,
    toolCallId: call.toolCallId,
    isResumed: call.isResumed,
    signal: step.signal,
    untimed: step.untimed,
    workspace: workspacePort(run),
    artifacts: artifactPort(run, call.toolCallId),
    runFiles: runFilesPort(run, call.toolCallId),
    codeSeconds: Math.min(
      run.agent?.config.tools?.code?.timeout_seconds ?? DEFAULT_CODE_SECONDS,
      env().CODE_SECONDS_MAX,
    ),
    seesImages: seesImages(run),
    redact: results.redactInSteps,
    emit: (event: Parameters<RunStep["log"]["append"]>[0]) => step.log.append(event),
    todo: run.todo,
    ...(outputMaxTokens !== null && { outputMaxTokens }),
  };
  // Connectors wait for others' servers, the sandbox and the readers of documents for places of
  // their own.
  return waitOutside(() =>
    executeTool(redactedTool(tool, results.redactInSteps), call.input, surroundings),
  );
}

const LISTED_MAX = 1000;

/**
 * The files of a run's workspace, as its tools see them; null when the run has none. Every read
 * names the account.
 */
export function workspacePort(
  run: Pick<LoadedRun, "accountId" | "workspaceId">,
): WorkspacePort | null {
  const { workspaceId, accountId } = run;
  if (!workspaceId) return null;
  const find = (path: string) => findFile(accountId, workspaceId, path);
  return {
    async list(prefix) {
      const rows = await prisma().workspaceFile.findMany({
        where: {
          workspaceId,
          accountId,
          ...(prefix && { path: { startsWith: prefix.replace(/[\\%_]/g, "\\$&") } }),
        },
        orderBy: { path: "asc" },
        take: LISTED_MAX,
      });
      return rows.map((row) => ({
        path: row.path,
        size_bytes: Number(row.sizeBytes),
        content_type: row.contentType,
      }));
    },
    async read(path, { offset, maxBytes }) {
      const file = await find(path);
      const size = Number(file.sizeBytes);
      if (offset >= size)
        return { text: "", truncated: offset > 0, next_offset: null, size_bytes: size };
      const bytes = await readAll(file, {
        start: offset,
        end: Math.min(size, offset + maxBytes) - 1,
      });
      return decodePage(bytes, offset, size);
    },
    async head(path, maxBytes) {
      const file = await find(path);
      const size = Number(file.sizeBytes);
      const bytes = await readAll(file, { start: 0, end: Math.min(size, maxBytes) - 1 });
      return {
        bytes,
        size_bytes: size,
        content_type: file.contentType,
        file_id: file.id,
        sha256: file.sha256,
      };
    },
    search: (query, prefix, signal) =>
      searchWorkspace({ accountId, workspaceId }, query, prefix, signal),
    async readBytes(path, maxBytes) {
      const file = await find(path);
      if (Number(file.sizeBytes) > maxBytes)
        throw new ToolFailure(
          `${path} has ${file.sizeBytes} bytes; at most ${maxBytes} can be read at once.`,
        );
      return readAll(file);
    },
    write: (path, text) => writeFile(accountId, workspaceId, path, text),
  };
}

async function findFile(
  accountId: string,
  workspaceId: string,
  path: string,
): Promise<WorkspaceFile> {
  const file = await prisma().workspaceFile.findFirst({ where: { accountId, workspaceId, path } });
  if (!file) throw new ToolFailure(`There is no file ${JSON.stringify(path)} in the workspace.`);
  return file;
}

async function readAll(
  file: Pick<WorkspaceFile, "sizeBytes" | "storageKey">,
  range?: { start: number; end: number },
): Promise<Uint8Array> {
  if (file.sizeBytes === 0n) return new Uint8Array();
  const stream = await fileStore().read(file.storageKey, range);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function writeFile(
  accountId: string,
  workspaceId: string,
  path: string,
  text: string,
): Promise<{ path: string; size_bytes: number }> {
  const checked = checkFilePath(path);
  if (!checked.ok) throw new ToolFailure(checked.message);
  try {
    const stored = await storeBytes(accountId, new Blob([text]).stream());
    const { file } = await commitFile(systemPrincipal(accountId), workspaceId, {
      path: checked.path,
      contentType: null,
      stored,
      countsAsWrite: false,
    });
    return { path: file.path, size_bytes: Number(file.sizeBytes) };
  } catch (error) {
    if (error instanceof ServiceError) throw new ToolFailure(error.message);
    throw error;
  }
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

/**
 * What code makes in a run, kept as its artifacts: one for each call and path, of which the newest
 * of a path counts.
 */
export function runFilesPort(
  run: { id: string; accountId: string },
  toolCallId: string,
): RunFilesPort {
  const newest = async (name?: string) => {
    const rows = await prisma().artifact.findMany({
      where: { runId: run.id, accountId: run.accountId, ...(name !== undefined && { name }) },
      orderBy: { id: "desc" },
      take: name === undefined ? LISTED_MAX : 1,
    });
    return [...new Map(rows.toReversed().map((row) => [row.name, row])).values()];
  };
  return {
    async list() {
      const rows = await newest();
      return rows.map((row) => ({
        path: row.name,
        size_bytes: Number(row.sizeBytes),
        type: row.contentType,
      }));
    },
    async read(path, maxBytes) {
      const [row] = await newest(toFileName(path));
      if (!row) return null;
      if (Number(row.sizeBytes) > maxBytes)
        throw new ToolFailure(
          `${path} has ${row.sizeBytes} bytes; at most ${maxBytes} can be read at once.`,
        );
      return readAll(row);
    },
    write: (path, type, bytes) =>
      artifactPort(run, `${toolCallId} ${path}`).create({
        title: toFileName(path),
        name: toFileName(path),
        type,
        content: bytes,
      }),
  };
}

async function insert(
  run: { id: string; accountId: string },
  stepKey: string,
  made: NewArtifact,
): Promise<ArtifactRow> {
  const stored = await storeBytes(run.accountId, new Blob([made.content]).stream());
  const id = newId();
  try {
    const keep = async (tx: Transaction) => {
      await reserveStorage(tx, run.accountId, BigInt(stored.sizeBytes));
      await tx.query(
        `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type, size_bytes, sha256, storage_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
