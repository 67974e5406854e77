import "server-only";
import { lookup } from "mime-types";
import { checkFilePath } from "@/lib/model/file-path";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { trimBoth } from "@/lib/model/text/trim";
import { inSlices } from "@/lib/platform/in-slices";
import { makeFiles } from "@/lib/runtime/makers/make-files";
import type { FileOrder } from "@/lib/runtime/sandbox/file-order";
import { type ToolContext, ToolFailure, type ToolOutcome } from "@/lib/runtime/tools/tool";

/**
 * The bytes of a file that code is to compute on: one that the run has made itself comes first.
 * @throws ToolFailure where there is none, or it is larger
 */
export async function readInput(
  path: string,
  maxBytes: number,
  { workspace, runFiles }: ToolContext,
): Promise<Uint8Array> {
  const own = await runFiles?.read(path, maxBytes);
  if (own) return own;
  if (workspace === null)
    throw new ToolFailure("This run has no workspace, so there are no files to read.");
  return workspace.readBytes(path, maxBytes);
}

/** What became of the files that code ordered, as the model is told. */
interface KeptFiles {
  files: JsonObject[];
  /** A sentence for each that was not made. */
  problems: string[];
}

/**
 * Makes the files that code has ordered and keeps them with the run. One that cannot be made keeps
 * no other one back.
 */
export async function keepFiles(
  orders: readonly FileOrder[],
  context: ToolContext,
): Promise<KeptFiles> {
  const { runFiles, emit, accountId, signal, untimed } = context;
  const kept: KeptFiles = { files: [], problems: [] };
  if (orders.length === 0) return kept;
  if (!runFiles) throw new ToolFailure("Files cannot be kept here.");
  for (const { path } of orders) {
    const checked = checkFilePath(path);
    if (!checked.ok) throw new ToolFailure(`${JSON.stringify(path)}: ${checked.message}`);
  }
  const clean = await withoutSecrets(orders, context);
  const made = await makeFiles({ orders: clean, accountId, signal, ...(untimed && { untimed }) });
  for (const file of made) {
    const { path } = file;
    if (!file.ok) {
      kept.problems.push(`${path} was not made: ${file.problem}`);
      continue;
    }
    const { bytes, pages, slides, note } = file;
    try {
      const artifact = await runFiles.write(
        path,
        lookup(path) || "application/octet-stream",
        bytes,
      );
      emit({ type: "artifact.created", artifact });
      kept.files.push({
        path,
        artifact_id: artifact.id,
        size_bytes: artifact.size_bytes,
        ...(pages !== undefined && { pages }),
        ...(slides !== undefined && { slides }),
        ...(note !== undefined && { note }),
      });
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      kept.problems.push(`${path} was not kept: ${error.message}`);
    }
  }
  return kept;
}

/**
 * What code hands over, without secrets that it may have put together: texts and the data of files.
 * Other bytes stay as they are.
 */
async function withoutSecrets(
  orders: readonly FileOrder[],
  { redact, signal }: ToolContext,
): Promise<FileOrder[]> {
  if (!redact) return [...orders];
  const clean: FileOrder[] = [];
  for (const order of orders) {
    const text = toText(order.payload);
    const redacted = text === null ? null : await inSlices(redact(text), { signal });
    clean.push(
      redacted === null || redacted === text ? order : { ...order, payload: Buffer.from(redacted) },
    );
  }
  return clean;
}

/** Null for bytes that are no UTF-8. */
function toText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The outcome of code with what became of its files. */
export function withFiles(outcome: ToolOutcome, { files, problems }: KeptFiles): ToolOutcome {
  if (files.length === 0 && problems.length === 0) return outcome;
  const told = isJsonObject(outcome.output) ? outcome.output : {};
  return {
    succeeded: outcome.succeeded && problems.length === 0,
    output: {
      ...(problems.length > 0 && { error: problems.join(" ") }),
      ...told,
      ...(files.length > 0 && { files }),
    },
  };
}

/** The last part of a path, without what headers, shells and file systems trip over. */
export function toFileName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? "";
  const clean = trimBoth(last.replace(/[\p{Cc}\p{Cf}"'`<>:|?*]/gu, "").replace(/\s+/g, " "), ". ");
  if (clean === "") throw new ToolFailure("The name holds no character that a file name can have.");
  return clean;
}
