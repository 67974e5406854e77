import "server-only";
import { fileStore, removeBytes, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import type { LoadedRun, RunRecord } from "@/lib/domain/execution/run/loaded-run";
import type { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import { removeFileAt } from "@/lib/domain/files/delete-file";
import {
  commitRunFiles,
  findRunFile,
  listEarlierFiles,
  listRunFiles,
  type NewRunFile,
  type RunFile,
  removeRunFile,
  storeRunBytes,
} from "@/lib/domain/files/run-files";
import { commitFile } from "@/lib/domain/files/save-file";
import { searchWorkspace } from "@/lib/domain/files/search-files";
import { systemPrincipal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { checkFilePath } from "@/lib/model/file-path";
import { pathInRun, RUN_FILE_PREFIX, shownRunPath } from "@/lib/model/run/run-file-path";
import { createRedactor, type Redactor } from "@/lib/platform/crypto/redact";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { redactStream } from "@/lib/runtime/tools/redact-stream";
import { FileTooLarge, ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort, SavedFile } from "@/lib/runtime/tools/tool-ports";
import type { FileSource } from "@/lib/storage/files/file-store";
import { prisma } from "@/lib/storage/prisma";

const LISTED_MAX = 1000;
/** Of a file that is edited in place; a longer one is appended to, or worked on by code. */
const EDITED_MAX_BYTES = 16 * 1024 * 1024;

type Holder = Pick<RunRecord, "id" | "accountId" | "workspaceId"> &
  Pick<PromptContext, "earlierIn">;

/** Of a run, what its files are found by. */
export function holderOf(run: LoadedRun): Holder {
  return { ...run, earlierIn: run.context.earlierIn };
}

/** A file that a path leads to. */
interface Found {
  /** As it is shown. */
  path: string;
  id: string;
  sizeBytes: number;
  contentType: string;
  sha256: string;
  storageKey: string;
  stepKey: string | null;
  /** Whose it is: a run may change the workspace's and its own. */
  of: "workspace" | "run" | "earlier";
}

/** Where something is to be written. */
type Target = { of: "workspace"; workspaceId: string; path: string } | { of: "run"; path: string };

const NOTHING_SECRET = createRedactor([]);

/**
 * The files of a run, as one call of its tools sees them. Every read names the account.
 * @param redactor takes the account's secrets out of what is received
 */
export function filesPort(
  run: Holder,
  toolCallId: string,
  redactor: Redactor = NOTHING_SECRET,
): FilesPort {
  const stepKey = `${run.id}:${toolCallId}`;
  const require = (path: string) => requireFound(run, path);
  return {
    list: (prefix = "") => list(run, prefix),
    find: (path) => findFile(run, path).then((found) => found && toEntry(found)),
    async read(path, { offset, maxBytes }) {
      const file = await require(path);
      const { sizeBytes } = file;
      if (offset >= sizeBytes)
        return { text: "", truncated: offset > 0, next_offset: null, size_bytes: sizeBytes };
      const end = Math.min(sizeBytes, offset + maxBytes) - 1;
      return decodePage(await readAll(file, { start: offset, end }), offset, sizeBytes);
    },
    async head(path, maxBytes) {
      const file = await require(path);
      const end = Math.min(file.sizeBytes, maxBytes) - 1;
      return {
        bytes: await readAll(file, { start: 0, end }),
        size_bytes: file.sizeBytes,
        content_type: file.contentType,
        file_id: file.id,
        sha256: file.sha256,
      };
    },
    async readBytes(path, maxBytes) {
      const file = await require(path);
      requireSize(file, maxBytes);
      return readAll(file);
    },
    async open(path) {
      const file = await require(path);
      return {
        ...toEntry(file),
        name: file.path.split(/[/:]/).at(-1) ?? file.path,
        sha256: file.sha256,
        open: () => stream(file),
      };
    },
    async search(query, prefix, signal) {
      const { accountId, workspaceId } = run;
      if (workspaceId === null || pathInRun(prefix) !== null)
        return { hits: [], searched: new Set() };
      return searchWorkspace({ accountId, workspaceId }, query, prefix, signal);
    },
    write: (path, content, type = null) =>
      toFailures(() => store(run, targetOf(run, path), toStream(content), { stepKey, type })),
    append: (path, text) => toFailures(() => append(run, path, text, stepKey)),
    edit: (path, change) => toFailures(() => edit(run, path, change, stepKey)),
    copy: (from, to) => toFailures(() => copy(run, from, to, stepKey)),
    remove: (path) => toFailures(() => remove(run, path)),
    receive: (path, bytes, { type, charset }) =>
      toFailures(() =>
        store(run, targetOf(run, path), redactStream(bytes, redactor, charset), {
          stepKey,
          // A host may say in it what it was sent, as in the bytes.
          type: redactor.redact(type) === type ? type : null,
        }),
      ),
    saveAll: (files) => toFailures(() => saveAll(run, files, stepKey)),
  };
}

function toEntry({ path, sizeBytes, contentType }: Found) {
  return { path, size_bytes: sizeBytes, content_type: contentType };
}

async function list(run: Holder, prefix: string) {
  const inRun = pathInRun(prefix);
  const [ofWorkspace, own, earlier] = await Promise.all([
    inRun === null ? listWorkspace(run, prefix) : [],
    inRun !== null || prefix === "" ? listRunFiles(run, inRun ?? "") : [],
    inRun !== null || prefix === "" ? listEarlier(run, null, inRun ?? "") : [],
  ]);
  const names = new Set(own.map(({ path }) => path));
  const others = earlier.filter(({ path }) => !names.has(path));
  const ofRuns = [
    ...own.map((file) => toFound(file, "run")),
    ...others.map((file) => toFound(file, "earlier")),
  ];
  return [...ofWorkspace, ...ofRuns.map(toEntry)].slice(0, LISTED_MAX);
}

async function listWorkspace({ workspaceId, accountId }: Holder, prefix: string) {
  if (workspaceId === null) return [];
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
}

async function listEarlier(run: Holder, only: string | null, prefix = ""): Promise<RunFile[]> {
  const { id: runId, accountId } = run;
  const scope = run.earlierIn ?? { conversationId: null, before: null };
  return listEarlierFiles({ runId, accountId, ...scope }, only, prefix);
}

/** What a path, or the id of an artifact or a file of an earlier run, leads to. */
async function findFile(run: Holder, path: string): Promise<Found | null> {
  const inRun = pathInRun(path);
  if (inRun === null && run.workspaceId !== null) {
    const { accountId, workspaceId } = run;
    const row = await prisma().workspaceFile.findFirst({ where: { accountId, workspaceId, path } });
    if (row) return { ...row, sizeBytes: Number(row.sizeBytes), of: "workspace" };
  }
  const name = inRun ?? path;
  const own = await findRunFile(run, name);
  if (own) return toFound(own, "run");
  const [earlier] = await listEarlier(run, name);
  return earlier ? toFound(earlier, "earlier") : null;
}

function toFound(file: RunFile, of: "run" | "earlier"): Found {
  return { ...file, path: shownRunPath(file.path), of };
}

async function requireFound(run: Holder, path: string): Promise<Found> {
  const found = await findFile(run, path);
  if (found) return found;
  const where =
    run.workspaceId === null || pathInRun(path) !== null
      ? "among the run's files"
      : "in the workspace or among the run's files";
  throw new ToolFailure(`There is no file ${JSON.stringify(path)} ${where}.`);
}

function requireSize({ path, sizeBytes }: Found, maxBytes: number): void {
  if (sizeBytes > maxBytes) throw new FileTooLarge(path, sizeBytes, maxBytes);
}

async function readAll(
  file: Found,
  range?: { start: number; end: number },
): Promise<Uint8Array<ArrayBuffer>> {
  if (file.sizeBytes === 0) return new Uint8Array();
  const bytes = await fileStore().read(file.storageKey, range);
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

async function stream(file: Found): Promise<ReadableStream<Uint8Array>> {
  return file.sizeBytes === 0 ? toStream("") : fileStore().read(file.storageKey);
}

async function* piecesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = bytes.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // what broke off was told by the read
  }
}

function toStream(
  content: string | Uint8Array | ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  if (content instanceof ReadableStream) return content;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** @throws ToolFailure for a path that cannot be one */
function targetOf({ workspaceId }: Holder, path: string): Target {
  const inRun = pathInRun(path);
  const checked = checkFilePath(inRun ?? path);
  if (!checked.ok) throw new ToolFailure(checked.message);
  if (inRun === null && workspaceId !== null)
    return { of: "workspace", workspaceId, path: checked.path };
  if (checked.path.startsWith(RUN_FILE_PREFIX))
    throw new ToolFailure(`A path has ${RUN_FILE_PREFIX} at its beginning once.`);
  return { of: "run", path: checked.path };
}

interface Storing {
  stepKey: string;
  type: string | null;
  /** The version of a workspace's file that this one is made of. */
  replaces?: string;
}

async function store(
  run: Holder,
  target: Target,
  bytes: FileSource,
  { stepKey, type, replaces }: Storing,
): Promise<SavedFile> {
  const { accountId } = run;
  if (target.of === "run") {
    const stored = await storeRunBytes(accountId, bytes);
    const [file] = await commitRunFiles(
      run,
      [{ path: target.path, contentType: type, stored }],
      stepKey,
    );
    return { path: shownRunPath(target.path), size_bytes: file?.sizeBytes ?? 0 };
  }
  const stored = await storeBytes(accountId, bytes);
  const { file } = await commitFile(systemPrincipal(accountId), target.workspaceId, {
    path: target.path,
    contentType: type,
    stored,
    countsAsWrite: false,
    stepKey,
    ...(replaces !== undefined && { replaces }),
  });
  return { path: file.path, size_bytes: Number(file.sizeBytes) };
}

/**
 * The file that a change begins with and the place where it ends: one of an earlier run stays as it
 * is, and this run has a changed copy. `done`: this very call has made the change before.
 */
async function changeable(
  run: Holder,
  path: string,
  stepKey: string,
): Promise<{ file: Found; target: Target; done: boolean }> {
  const file = await requireFound(run, path);
  return { file, target: targetOf(run, file.path), done: file.stepKey === stepKey };
}

function storingOf(file: Found, stepKey: string): Storing {
  const replaces = file.of === "workspace" ? { replaces: file.storageKey } : {};
  return { stepKey, type: file.contentType, ...replaces };
}

async function append(
  run: Holder,
  path: string,
  text: string,
  stepKey: string,
): Promise<SavedFile> {
  const { file, target, done } = await changeable(run, path, stepKey);
  if (done) return { path: file.path, size_bytes: file.sizeBytes };
  async function* all() {
    yield* piecesOf(await stream(file));
    yield new TextEncoder().encode(text);
  }
  return store(run, target, all(), storingOf(file, stepKey));
}

async function edit(
  run: Holder,
  path: string,
  change: (text: string) => string,
  stepKey: string,
): Promise<SavedFile> {
  const { file, target, done } = await changeable(run, path, stepKey);
  if (done) return { path: file.path, size_bytes: file.sizeBytes };
  requireSize(file, EDITED_MAX_BYTES);
  const text = decodeText(file, await readAll(file));
  return store(run, target, toStream(change(text)), storingOf(file, stepKey));
}

/** @throws ToolFailure for bytes that would not come back as they are */
function decodeText({ path }: Found, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure(`${path} is no UTF-8 text, so it cannot be edited in place.`);
  }
}

async function copy(run: Holder, from: string, to: string, stepKey: string): Promise<SavedFile> {
  const file = await requireFound(run, from);
  const target = targetOf(run, to);
  return store(run, target, await stream(file), { stepKey, type: file.contentType });
}

async function remove(run: Holder, path: string): Promise<boolean> {
  const file = await findFile(run, path);
  if (file === null) return false;
  if (file.of === "earlier")
    throw new ToolFailure(`${file.path} is of an earlier run, and stays with it.`);
  const target = targetOf(run, file.path);
  return target.of === "run"
    ? removeRunFile(run, target.path)
    : removeFileAt(run.accountId, target.workspaceId, target.path);
}

async function saveAll(
  run: Holder,
  files: readonly { path: string; bytes: Uint8Array; mime?: string }[],
  stepKey: string,
): Promise<SavedFile[]> {
  if (files.length === 0) return [];
  const targets = new Map<string, (typeof files)[number]>();
  for (const file of files) {
    const target = targetOf({ ...run, workspaceId: null }, file.path);
    targets.set(target.path, file);
  }
  const stored: NewRunFile[] = [];
  try {
    for (const [path, { bytes, mime }] of targets)
      stored.push({
        path,
        contentType: mime ?? null,
        stored: await storeRunBytes(run.accountId, toStream(bytes)),
      });
  } catch (error) {
    for (const { stored: bytes } of stored) await removeBytes(bytes.storageKey);
    throw error;
  }
  const saved = await commitRunFiles(run, stored, stepKey);
  return saved.map(({ path, sizeBytes }) => ({
    path: shownRunPath(path),
    size_bytes: sizeBytes,
  }));
}

/** A refusal of the service is something that the model can act on. */
async function toFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new ToolFailure(error.message) : error;
  }
}
