import "server-only";
import { z } from "zod";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { RunRecord } from "@/lib/domain/execution/run/loaded-run";
import type { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import type { StoredTurn, Transcript } from "@/lib/domain/execution/run/transcript";
import { models } from "@/lib/domain/models/models";
import { FILE_TOOLS_NAME } from "@/lib/model/agent-config/built-in-tools";
import { postgres } from "@/lib/platform/postgres";
import { HEAD_BYTES, isImage, sniffKind } from "@/lib/runtime/documents/sniff-type";
import type { UserContent } from "@/lib/runtime/models/read-turn";

/**
 * Pictures of one prompt, the newest ones; vendors take some more. So many go at once, because the
 * prompt is another one from there on.
 */
const IMAGES_MAX = 8;
const IMAGES_DROPPED = 4;
const IMAGES_MAX_BYTES = 20 * 1024 * 1024;

/** What `files_read` notes of a picture that it read. */
const READERS: readonly string[] = [FILE_TOOLS_NAME, "files_read"];
const notedSchema = z.object({
  image: z.object({ file_id: z.uuid(), sha256: z.string(), path: z.string() }),
});
type Noted = z.infer<typeof notedSchema>["image"] & { toolCallId: string };

type ImageReader = Pick<
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

const FIND = `
SELECT id, sha256, storage_key, size_bytes FROM workspace_files WHERE account_id = $1 AND workspace_id = $2 AND id = ANY($3)
UNION ALL SELECT f.id, f.sha256, f.storage_key, f.size_bytes FROM run_files f JOIN runs r ON r.id = f.run_id AND r.account_id = $1
  WHERE f.account_id = $1 AND f.id = ANY($3) AND (r.id = $4 OR r.conversation_id = ANY($5))
UNION ALL SELECT a.id, a.sha256, a.storage_key, a.size_bytes FROM artifacts a JOIN runs r ON r.id = a.run_id AND r.account_id = $1
  WHERE a.account_id = $1 AND a.id = ANY($3) AND r.conversation_id = ANY($5)`;

/**
 * The pictures that a run's model has read, by the call that read each. The transcript holds only
 * which version of which file it was: the bytes are read from the run's own workspace, or its own and its
 * conversation's files, whenever a prompt is made, in whatever process.
 */
export async function promptImages(
  run: ImageReader,
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
    name: "find-prompt-images",
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
  const over = Math.ceil(Math.max(0, noted.length - IMAGES_MAX) / IMAGES_DROPPED);
  const imagesMax = noted.length - over * IMAGES_DROPPED;
  let images = 0;
  let bytes = 0;
  for (const image of noted.toReversed()) {
    const file = rows.find(({ id, sha256 }) => id === image.file_id && sha256 === image.sha256);
    const name = JSON.stringify(image.path);
    images += 1;
    bytes += Number(file?.size_bytes ?? 0);
    if (!file)
      shown.set(image.toolCallId, [
        {
          type: "text",
          text: `(The picture ${name} was changed or deleted after you had read it.)`,
        },
      ]);
    else if (images > imagesMax || bytes > IMAGES_MAX_BYTES)
      shown.set(image.toolCallId, [
        {
          type: "text",
          text: `(The picture ${name} is not shown any more. Read it again if you need it.)`,
        },
      ]);
    else shown.set(image.toolCallId, await imageParts(name, file.storage_key));
  }
  return shown;
}

function notedIn(run: ImageReader, turn: Pick<StoredTurn, "content">): Noted[] {
  return turn.content.flatMap((part) => {
    const result = part.type === "tool-call" ? run.transcript.resultOf(part.toolCallId) : undefined;
    const noted =
      result && READERS.includes(result.name) && result.succeeded
        ? notedSchema.safeParse(result.output)
        : null;
    return noted?.success && result ? [{ ...noted.data.image, toolCallId: result.toolCallId }] : [];
  });
}

async function imageParts(name: string, storageKey: string): Promise<UserContent> {
  const data = new Uint8Array(await new Response(await fileStore().read(storageKey)).arrayBuffer());
  const mediaType = sniffKind(data.subarray(0, HEAD_BYTES), name);
  if (!isImage(mediaType))
    return [{ type: "text", text: `(The picture ${name} cannot be shown.)` }];
  return [
    { type: "text", text: `The picture ${name}, which you have read:` },
    { type: "file", mediaType, data: { type: "data", data } },
  ];
}
