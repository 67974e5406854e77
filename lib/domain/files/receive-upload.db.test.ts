import { mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { openFile } from "@/lib/domain/files/open-file";
import { receiveUpload, type Upload } from "@/lib/domain/files/receive-upload";
import type { Principal } from "@/lib/domain/principal";
import { receiveSkillZip } from "@/lib/domain/skills/receive-skill-zip";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const SPACE_BYTES = 10_000;
const FILE_BYTES = 6_000;

const folder = mkdtempSync(join(tmpdir(), "lathe-domain-"));

const PLENTY = 1024 ** 4;
let freeBytes = PLENTY;
/** Leaves less than a small upload and the disk's reserve need. */
const fillDisk = () => {
  freeBytes = 1024 ** 3 + 9;
};
let database: DomainDatabase;
let owner: Principal;
let workspaceId: string;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: { ACCOUNT_FILES_MAX_BYTES: String(SPACE_BYTES), FILE_MAX_BYTES: String(FILE_BYTES) },
    files: { ...createDiskFileStore(join(folder, "files")), freeBytes: async () => freeBytes },
  });
});
beforeEach(async () => {
  freeBytes = PLENTY;
  owner = await database.account();
  ({ id: workspaceId } = await createWorkspace(owner, { name: "w", description: null }));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * A body that says whether anybody has read of it, and gives its bytes once it is released, or
 * breaks off.
 */
function heldBody(bytes: number) {
  let release = () => {};
  let breakOff = (_: Error) => {};
  const gate = new Promise<void>((resolve, reject) => {
    [release, breakOff] = [resolve, reject];
  });
  gate.catch(() => {});
  const body = {
    wasRead: false,
    release,
    breakOff: () => breakOff(new Error("the connection was lost")),
    stream: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          body.wasRead = true;
          await gate;
          if (bytes > 0) controller.enqueue(new Uint8Array(bytes));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    ),
  };
  return body;
}

const wishOf = (body: ReadableStream<Uint8Array>, more: Partial<Upload> = {}): Upload => ({
  body,
  contentType: "application/octet-stream",
  path: `${newId()}.bin`,
  contentLength: null,
  signal: new AbortController().signal,
  ...more,
});

/** A whole upload of so many bytes; `announced: false` sends it in chunks of unknown length. */
function upload(bytes: number, { path = `${newId()}.bin`, announced = true, as = owner } = {}) {
  const body = heldBody(bytes);
  body.release();
  return receiveUpload(
    as,
    workspaceId,
    wishOf(body.stream, { path, contentLength: announced ? bytes : null }),
  );
}

async function form(bytes: number, path: string, announced = true) {
  const data = new FormData();
  data.set("file", new Blob([new Uint8Array(bytes)]), path);
  const request = new Request("http://localhost", { method: "POST", body: data });
  const text = new Uint8Array(await request.arrayBuffer());
  const contentType = request.headers.get("content-type") ?? "";
  return receiveUpload(
    owner,
    workspaceId,
    wishOf(new Blob([text]).stream(), {
      contentType,
      path: null,
      contentLength: announced ? text.byteLength : null,
    }),
  );
}

const underWay = async () =>
  (await database.pool.query("SELECT 1 FROM uploads WHERE account_id = $1", [owner.accountId]))
    .rowCount;

async function usedBytes(): Promise<number> {
  const { rows } = await database.pool.query("SELECT files_bytes FROM accounts WHERE id = $1", [
    owner.accountId,
  ]);
  return Number(rows[0].files_bytes);
}

/** Starts an upload and waits until it holds its reservation, its bytes unread or unfinished. */
async function begin(contentLength: number | null, bytes: number) {
  const body = heldBody(bytes);
  const before = (await underWay()) ?? 0;
  const saved = receiveUpload(owner, workspaceId, wishOf(body.stream, { contentLength }));
  saved.catch(() => {});
  await expect.poll(underWay).toBe(before + 1);
  return { body, saved };
}

test.each<[string, number, string, () => Promise<unknown>]>([
  [
    "over the hourly cap",
    10,
    "RATE_LIMITED",
    async () => Object.assign(owner, { writePerHour: 0 }),
  ],
  ["beyond the account's space", 5_000, "PAYLOAD_TOO_LARGE", () => upload(5_001)],
  ["beyond the file's limit", FILE_BYTES + 1, "PAYLOAD_TOO_LARGE", async () => {}],
  ["to a disk that is nearly full", 10, "SERVICE_UNAVAILABLE", async () => fillDisk()],
  ["too many at once", 10, "RATE_LIMITED", () => updateAccount(owner, { caps: { uploads: 0 } })],
])(
  "an upload %s is refused before its first byte is read, and reserves nothing",
  async (_, contentLength, code, spoil) => {
    await spoil();
    const used = await usedBytes();
    const body = heldBody(contentLength);
    await expect(
      receiveUpload(owner, workspaceId, wishOf(body.stream, { contentLength })),
    ).rejects.toMatchObject({ code });
    expect([body.wasRead, await underWay(), await usedBytes()]).toEqual([false, 0, used]);
  },
);

test("what uploads have announced is theirs: of many only fitting ones pass", async () => {
  const first = await begin(FILE_BYTES, FILE_BYTES);
  await expect(upload(SPACE_BYTES - FILE_BYTES + 1)).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
  await upload(SPACE_BYTES - FILE_BYTES);
  first.body.release();
  await first.saved;
  expect([await usedBytes(), await underWay()]).toEqual([SPACE_BYTES, 0]);
});

test("one of unknown length reserves its most, and gives back the rest", async () => {
  const first = await begin(null, 1);
  await expect(upload(SPACE_BYTES - FILE_BYTES + 1)).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
  first.body.release();
  await first.saved;
  await upload(SPACE_BYTES - FILE_BYTES + 1);
});

test("one of unknown length that outgrows the space ends, by name, leaving nothing", async () => {
  await upload(FILE_BYTES);
  const refused = upload(SPACE_BYTES - FILE_BYTES + 1, { announced: false });
  await expect(refused).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: expect.stringContaining(`${SPACE_BYTES} bytes together`),
  });
  await upload(SPACE_BYTES - FILE_BYTES, { announced: false });
  expect([await usedBytes(), await underWay()]).toEqual([SPACE_BYTES, 0]);
});

test("four uploads of an account may be under way; one broken off makes room", async () => {
  const all = [];
  for (let n = 0; n < 4; n += 1) all.push(await begin(10, 10));
  await expect(upload(10)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    headers: { "Retry-After": expect.stringMatching(/^[1-9]/) },
  });
  const zip = { body: heldBody(1).stream, contentType: "multipart/form-data; boundary=x" };
  await expect(receiveSkillZip(owner, zip)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const stranger = await database.account();
  const theirs = await createWorkspace(stranger, { name: "w", description: null });
  await receiveUpload(stranger, theirs.id, wishOf(new Blob(["x"]).stream(), { contentLength: 1 }));
  const [broken, ...others] = all;
  broken?.body.breakOff();
  await expect(broken?.saved).rejects.toThrow("the connection was lost");
  await upload(10);
  for (const { body, saved } of others) {
    body.release();
    await saved;
  }
  expect([await underWay(), await usedBytes()]).toEqual([0, 40]);
});

test("a killed process's reservation ends by itself, and its row is swept", async () => {
  await database.pool.query(
    `INSERT INTO uploads (id, account_id, reserved_bytes, expires_at)
     VALUES ($1, $2, $3, now() + interval '1 minute')`,
    [newId(), owner.accountId, SPACE_BYTES],
  );
  await expect(upload(1)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  await database.pool.query(
    "UPDATE uploads SET expires_at = now() - interval '1 second' WHERE account_id = $1",
    [owner.accountId],
  );
  await upload(1);
  await sweepOldRows();
  expect(await underWay()).toBe(0);
});

test("a full account may replace a file by one no larger, raw or by form", async () => {
  await upload(4_000, { path: "a.bin" });
  await upload(FILE_BYTES, { path: "b.bin" });
  expect(await upload(4_000, { path: "a.bin" })).toMatchObject({ replaced: true });
  expect(await upload(3_999, { path: "a.bin", announced: false })).toMatchObject({
    replaced: true,
  });
  await expect(upload(4_001, { path: "a.bin" })).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
  expect(await form(4_000, "a.bin")).toMatchObject({ replaced: true });
  await expect(form(4_001, "a.bin")).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  await expect(form(1, "c.bin")).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect([await usedBytes(), await underWay()]).toEqual([SPACE_BYTES, 0]);
});

test("a file deleted, or replaced by a smaller one, frees its space, to the byte", async () => {
  const { file } = await upload(FILE_BYTES, { path: "a.bin" });
  await upload(4_000, { path: "b.bin" });
  await deleteFile(owner, workspaceId, file.id);
  expect(await usedBytes()).toBe(4_000);
  await upload(1_000, { path: "b.bin" });
  expect(await usedBytes()).toBe(1_000);
  await upload(FILE_BYTES);
  await setImmediate();
  expect(await readdir(join(folder, "files/unfinished"))).toEqual([]);
});

test("an empty file needs no space, announced or not", async () => {
  await upload(4_000);
  await upload(FILE_BYTES);
  expect((await upload(0)).file.sizeBytes).toBe(0n);
  expect((await upload(0, { announced: false })).file.sizeBytes).toBe(0n);
});

test.each([
  [FILE_BYTES + 65_536, "INVALID_INPUT", true],
  [FILE_BYTES + 65_537, "PAYLOAD_TOO_LARGE", false],
])(
  "a form that announces %i bytes has room for 65,536 beside its file, and ends as %s",
  async (contentLength, code, wasRead) => {
    const body = heldBody(1);
    body.release();
    const wish = wishOf(body.stream, {
      contentType: "multipart/form-data; boundary=x",
      path: null,
      contentLength,
    });
    await expect(receiveUpload(owner, workspaceId, wish)).rejects.toMatchObject({ code });
    expect(body.wasRead).toBe(wasRead);
  },
);

test("a file that outgrows its own limit is told that one, raw or by a form", async () => {
  const message = "A file may have at most 6000 bytes. Nothing was stored.";
  const refused = { code: "PAYLOAD_TOO_LARGE", message };
  await expect(upload(FILE_BYTES + 1)).rejects.toMatchObject(refused);
  await expect(upload(FILE_BYTES + 1, { announced: false })).rejects.toMatchObject(refused);
  await expect(form(FILE_BYTES + 1, "a.bin")).rejects.toMatchObject(refused);
  await expect(form(100_000, "a.bin", false)).rejects.toMatchObject(refused);
  expect([await underWay(), await usedBytes()]).toEqual([0, 0]);
});

test("a form that goes on behind the space that is left is told the account's limit", async () => {
  for (let n = 0; n < 3; n += 1) await upload(3_000);
  const message = expect.stringContaining("10000 bytes together");
  await expect(form(100_000, "a.bin", false)).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message,
  });
});

test.each<[string, Partial<Upload>, RegExp]>([
  ["no body", { body: null }, /no body/],
  ["no path", { path: null }, /\?path=/],
  ["a path out of the workspace", { path: "../a" }, /./],
])("an upload with %s is refused as invalid", async (_, more, message) => {
  const refused = receiveUpload(owner, workspaceId, wishOf(new Blob(["x"]).stream(), more));
  await expect(refused).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
  });
  expect([await underWay(), await usedBytes()]).toEqual([0, 0]);
});

test.each([
  ["text/css; charset=utf-8", "text/css"],
  [" TEXT/CSS ", "text/css"],
  ["", "text/plain"],
  ["application/octet-stream", "text/plain"],
  ["application/x-www-form-urlencoded", "text/plain"],
])("raw bytes sent as '%s' are kept as %s", async (contentType, kept) => {
  const { file } = await receiveUpload(
    owner,
    workspaceId,
    wishOf(new Blob(["x"]).stream(), { contentType, path: "a.txt" }),
  );
  expect(file.contentType).toBe(kept);
});

test("a form with a bad path leaves nothing", async () => {
  const kept = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  const before = await kept();
  await expect(form(5, "..")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect([await kept(), await usedBytes()]).toEqual([before, 0]);
});

test("an upload counts as a write, raw or by a form", async () => {
  owner = Object.assign(owner, { writePerHour: 3 }); // the workspace was the first
  await form(5, "a.bin");
  await upload(5);
  await expect(upload(5)).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("a file is opened under its last name, in its own workspace and account alone", async () => {
  const { file } = await upload(5, { path: "a/b/c.bin" });
  const { open, ...described } = await openFile(owner, workspaceId, file.id);
  expect(described).toEqual({
    name: "c.bin",
    contentType: "application/octet-stream",
    sizeBytes: 5,
    sha256: file.sha256,
  });
  expect((await new Response(await open({ start: 1, end: 3 })).arrayBuffer()).byteLength).toBe(3);
  await expect(openFile(owner, newId(), file.id)).rejects.toMatchObject({
    code: "WORKSPACE_NOT_FOUND",
  });
  await expect(openFile(owner, workspaceId, newId())).rejects.toMatchObject({
    code: "FILE_NOT_FOUND",
  });
  await expect(openFile(await database.account(), workspaceId, file.id)).rejects.toMatchObject({
    code: "WORKSPACE_NOT_FOUND",
  });
});
