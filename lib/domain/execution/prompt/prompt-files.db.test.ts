import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePdf, makePng } from "@/e2e/support/make-documents";
import { fileStore, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { promptFiles, seesFile } from "@/lib/domain/execution/prompt/prompt-files";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { testTranscript } from "@/lib/domain/test/test-run";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "blind",
  OPENAI_COMPATIBLE_VISION_MODELS: "eye",
  ANTHROPIC_API_KEY: "k",
};
const CLAUDE = "anthropic/claude-sonnet-5-5";

let database: DomainDatabase;
let owner: Principal;
let workspaceId: string;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-images-"))),
  );
  owner = await database.account();
  workspaceId = (await createWorkspace(owner, { name: "W", description: null })).id;
});
afterAll(() => database.close());

async function save(path: string, bytes: Uint8Array<ArrayBuffer>) {
  const stored = await storeBytes(owner.accountId, new Blob([bytes]).stream());
  return (
    await commitFile(owner, workspaceId, { path, contentType: null, stored, countsAsWrite: false })
  ).file;
}

interface Reading {
  id: string;
  sha256: string;
  path: string;
  /** Of a PDF file. */
  pages?: number;
}

/** A run that has made these readings, a turn each. */
function readings(
  files: readonly Reading[],
  {
    name = "files_read",
    ...run
  }: { name?: string; model?: string; accountId?: string; workspaceId?: string } = {},
) {
  const results = files.map((file, at) => ({
    toolCallId: `call-${at}`,
    name,
    succeeded: true,
    output: {
      [file.pages === undefined ? "image" : "document"]: {
        ...{ file_id: file.id, sha256: file.sha256, path: file.path },
        ...(file.pages !== undefined && { pages: file.pages }),
      },
    },
  }));
  const turns = results.map(({ toolCallId }) => ({
    content: [{ type: "tool-call" as const, toolCallId, toolName: name, input: {} }],
  }));
  const toolResults = new Map(results.map((result) => [result.toolCallId, result]));
  return promptFiles(
    {
      id: newId(),
      conversationId: null,
      accountId: owner.accountId,
      workspaceId,
      model: "compatible/eye",
      context: { earlierIn: null },
      transcript: testTranscript(turns, toolResults),
      ...run,
    },
    turns,
  );
}

const partsOf = (images: Awaited<ReturnType<typeof promptFiles>>) =>
  [...images].map(([id, parts]) => [
    id,
    ...parts.map((part) => (part.type === "text" ? part.text : part.mediaType)),
  ]);

test("a picture that was read is shown with its bytes while its file is the same", async () => {
  const png = makePng(2, 2);
  const file = await save("a.png", png);
  const images = await readings([file]);
  expect(partsOf(images)).toEqual([
    ["call-0", 'The picture "a.png", which you have read:', "image/png"],
  ]);
  expect(images.get("call-0")?.[1]).toMatchObject({ data: { type: "data", data: png } });
  await save("a.png", makePng(3, 3));
  expect(partsOf(await readings([file]))).toEqual([
    ["call-0", '(The picture "a.png" was changed or deleted after you had read it.)'],
  ]);
});

test("at most the newest eight are shown, four going at once", async () => {
  const file = await save("b.png", makePng(2, 2));
  const images = await readings(Array(10).fill(file));
  const shown = [...images]
    .filter(([, parts]) => parts.some(({ type }) => type === "file"))
    .map(([id]) => id);
  expect(shown.sort()).toEqual(Array.from({ length: 6 }, (_, at) => `call-${at + 4}`));
  expect(images.get("call-0")).toEqual([
    {
      type: "text",
      text: '(The picture "b.png" is not shown any more. Read it again if you need it.)',
    },
  ]);
});

test("no other tool, account, workspace or blind model gets a picture's bytes", async () => {
  const file = await save("c.png", makePng(2, 2));
  const stranger = await database.account();
  expect(await readings([file], { name: "mcp_tool" })).toEqual(new Map());
  expect(await readings([file], { model: "compatible/blind" })).toEqual(new Map());
  const other = await createWorkspace(owner, { name: "Other", description: null });
  for (const run of [{ accountId: stranger.accountId }, { workspaceId: other.id }])
    expect(partsOf(await readings([file], run))).toEqual([
      ["call-0", expect.stringContaining("was changed or deleted")],
    ]);
});

test("a PDF that was read is in the prompt of a model that takes it, while the same", async () => {
  const pdf = new Uint8Array(await makePdf(["One", "Two"]));
  const file = { ...(await save("d.pdf", pdf)), pages: 2 };
  const given = await readings([file], { model: CLAUDE });
  expect(partsOf(given)).toEqual([
    ["call-0", 'The document "d.pdf", which you have read:', "application/pdf"],
  ]);
  expect(given.get("call-0")?.[1]).toMatchObject({
    filename: "d.pdf",
    data: { type: "data", data: pdf },
    providerOptions: { lathe: { pages: 2 } },
  });
  await save("d.pdf", new Uint8Array(await makePdf(["Other"])));
  expect(partsOf(await readings([file], { model: CLAUDE }))).toEqual([
    ["call-0", '(The document "d.pdf" was changed or deleted after you had read it.)'],
  ]);
});

test("at most a hundred pages of documents are shown, the newest", async () => {
  const file = await save("e.pdf", new Uint8Array(await makePdf(["One"])));
  const given = await readings(Array(6).fill({ ...file, pages: 20 }), { model: CLAUDE });
  const shown = partsOf(given).flatMap(([id, , type]) => (type === "application/pdf" ? [id] : []));
  expect(shown.sort()).toEqual(["call-1", "call-2", "call-3", "call-4", "call-5"]);
});

test("what is called a document and is none is not sent as one", async () => {
  const file = { ...(await save("f.pdf", makePng(2, 2))), pages: 1 };
  expect(partsOf(await readings([file], { model: CLAUDE }))).toEqual([
    ["call-0", '(The document "f.pdf" cannot be shown.)'],
  ]);
});

test("documents are for models that see, of providers that take them", () => {
  expect(
    [CLAUDE, "compatible/eye", "compatible/blind", "builtin/offline"].map((model) => [
      seesFile(model, "application/pdf"),
      seesFile(model, "image/png"),
    ]),
  ).toEqual([
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
});
