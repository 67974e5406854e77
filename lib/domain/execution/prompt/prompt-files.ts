import "server-only";
import { z } from "zod";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { RunRecord } from "@/lib/domain/execution/run/loaded-run";
import type { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import type {
  StoredToolResult,
  StoredTurn,
  Transcript,
} from "@/lib/domain/execution/run/transcript";
import { models } from "@/lib/domain/models/models";
import { FILE_TOOLS_NAME } from "@/lib/model/agent-config/built-in-tools";
import { postgres } from "@/lib/platform/postgres";
import { HEAD_BYTES, isImage, sniffKind } from "@/lib/runtime/documents/sniff-type";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import {
  PAGE_TOKENS,
  PDF,
  PROMPT_PAGES_MAX,
  pdfPart,
  type UserContent,
} from "@/lib/runtime/models/read-turn";

/**
 * Files of one prompt, the newest ones; vendors take some more. So many go at once, because the
 * prompt is another one from there on.
 */
const FILES_MAX = 8;
const FILES_DROPPED = 4;
/** Anthropic takes requests of 32 MB, in which they are a third longer. */
const FILES_MAX_BYTES = 20 * 1024 * 1024;

/** What `files_read` notes of a picture that it read, or of a PDF file that is given as it is. */
const READERS: readonly string[] = [FILE_TOOLS_NAME, "files_read"];
const fileSchema = z.object({ file_id: z.uuid(), sha256: z.string(), path: z.string() });
const notedSchema = z.union([
  z.object({ image: fileSchema }),
  z.object({ document: fileSchema.extend({ pages: z.int().positive().max(PROMPT_PAGES_MAX) }) }),
]);
type Noted = z.infer<typeof fileSchema> & {
  toolCallId: string;
  /** Of a PDF file; null: it is a picture. */
  pages: number | null;
};

type FileReader = Pick<
  RunRecord,
  "id" | "accountId" | "conversationId" | "workspaceId" | "model"
> & {
  transcript: Pick<Transcript, "resultOf">;
  context: Pick<PromptContext, "earlierIn">;
};

/** Whether a run's model is shown pictures. */
export function seesImages(run: Pick<RunRecord, "model">): boolean {
  return models().find(run.model)?.vision === true;
}

/** Whether a run's model is given PDF files as they are. */
export function takesPdf(run: Pick<RunRecord, "model">): boolean {
  return seesImages(run) && providerOf(run.model)?.takesPdf === true;
}

/** Whether a model is shown a file of a prompt. @param model `provider/name` */
export function seesFile(model: string, mediaType: string): boolean {
  return mediaType === PDF ? takesPdf({ model }) : seesImages({ model });
}

/** What a result adds to the next prompt beside its own text, in tokens at most. */
export function shownTokens(result: StoredToolResult): number {
  const noted = notedBy(result);
  return noted !== null && "document" in noted ? noted.document.pages * PAGE_TOKENS : 0;
}

/** What a result notes of a file; null: nothing. Of another tool the same words mean nothing. */
function notedBy({ name, succeeded, output }: StoredToolResult) {
  if (!succeeded || !READERS.includes(name)) return null;
  return notedSchema.safeParse(output).data ?? null;
}

const FIND = `
SELECT id, sha256, storage_key, size_bytes FROM workspace_files WHERE account_id = $1
  AND workspace_id = $2 AND id = ANY($3)
UNION ALL SELECT f.id, f.sha256, f.storage_key, f.size_bytes FROM run_files f
JOIN runs r ON r.id = f.run_id AND r.account_id = $1
  WHERE f.account_id = $1 AND f.id = ANY($3) AND (r.id = $4 OR r.conversation_id = ANY($5))
UNION ALL SELECT a.id, a.sha256, a.storage_key, a.size_bytes FROM artifacts a
JOIN runs r ON r.id = a.run_id AND r.account_id = $1
  WHERE a.account_id = $1 AND a.id = ANY($3) AND r.conversation_id = ANY($5)`;

/**
 * The pictures and PDF files that a run's model has read, by the call that read each. The
 * transcript holds only which version of which file it was: the bytes are read from the run's own
 * workspace, or its own and its conversation's files, whenever a prompt is made, in whatever
 * process.
 */
export async function promptFiles(
  run: FileReader,
  turns: readonly Pick<StoredTurn, "content">[],
): Promise<Map<string, UserContent>> {
  const noted = seesImages(run) ? turns.flatMap((turn) => notedIn(run, turn)) : [];
  if (noted.length === 0) return new Map();
  const { rows } = await postgres().query<{
    id: string;
    sha256: string;
    storage_key: string;
    size_bytes: string;
  }>({
    name: "find-prompt-files",
    text: FIND,
    values: [
      run.accountId,
      run.workspaceId,
      noted.map(({ file_id }) => file_id),
      run.id,
      [run.conversationId, run.context.earlierIn?.conversationId ?? null],
    ],
  });
  const shown = new Map<string, UserContent>();
  const over = Math.ceil(Math.max(0, noted.length - FILES_MAX) / FILES_DROPPED);
  const filesMax = noted.length - over * FILES_DROPPED;
  let files = 0;
  let bytes = 0;
  let pages = 0;
  for (const each of noted.toReversed()) {
    const file = rows.find(({ id, sha256 }) => id === each.file_id && sha256 === each.sha256);
    const name = `The ${each.pages === null ? "picture" : "document"} ${JSON.stringify(each.path)}`;
    files += 1;
    bytes += Number(file?.size_bytes ?? 0);
    pages += each.pages ?? 0;
    if (!file)
      shown.set(each.toolCallId, note(`(${name} was changed or deleted after you had read it.)`));
    else if (files > filesMax || bytes > FILES_MAX_BYTES || pages > PROMPT_PAGES_MAX)
      shown.set(
        each.toolCallId,
        note(`(${name} is not shown any more. Read it again if you need it.)`),
      );
    else shown.set(each.toolCallId, await fileParts(name, each, file.storage_key));
  }
  return shown;
}

function notedIn(run: FileReader, turn: Pick<StoredTurn, "content">): Noted[] {
  return turn.content.flatMap((part): Noted[] => {
    const result = part.type === "tool-call" ? run.transcript.resultOf(part.toolCallId) : undefined;
    const noted = result ? notedBy(result) : null;
    if (!result || !noted) return [];
    const { toolCallId } = result;
    return "image" in noted
      ? [{ ...noted.image, toolCallId, pages: null }]
      : [{ ...noted.document, toolCallId }];
  });
}

const note = (text: string): UserContent => [{ type: "text", text }];

async function fileParts(
  name: string,
  { path, pages }: Pick<Noted, "path" | "pages">,
  storageKey: string,
): Promise<UserContent> {
  const data = new Uint8Array(await new Response(await fileStore().read(storageKey)).arrayBuffer());
  const kind = sniffKind(data.subarray(0, HEAD_BYTES), path);
  const introduced = note(`${name}, which you have read:`);
  if (pages !== null && kind === "pdf") return [...introduced, pdfPart(data, path, pages)];
  if (pages === null && isImage(kind))
    return [...introduced, { type: "file", mediaType: kind, data: { type: "data", data } }];
  return note(`(${name} cannot be shown.)`);
}
