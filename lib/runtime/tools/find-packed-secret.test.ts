import { deflateRawSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { makeDocx, makeXlsx } from "@/e2e/support/make-documents";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { findPackedSecret, unpackBudget } from "@/lib/runtime/tools/find-packed-secret";

const SECRET = "tok-9f8e7d6c5b4a-ü";
const { redactInSteps: redact } = createRedactor([SECRET]);
const MiB = 1024 * 1024;
const search = () => ({
  redact,
  accountId: "account",
  signal: new AbortController().signal,
  budget: unpackBudget(),
});
const placeIn = (bytes: Uint8Array) => findPackedSecret(bytes, search());
const utf8 = (text: string) => new TextEncoder().encode(text);
const around = (...parts: Uint8Array[]) =>
  Buffer.concat([Uint8Array.of(0xff, 0, 0x89), ...parts, Uint8Array.of(0xfe)]);

test.each([
  ["as UTF-8", around(utf8(SECRET))],
  ["as base64", around(utf8(Buffer.from(`x${SECRET}`).toString("base64")))],
  ["as UTF-16", around(Buffer.from(SECRET, "utf16le"))],
  ["as UTF-16 of the other order", around(Buffer.from(SECRET, "utf16le").swap16())],
  ["where two steps meet", Buffer.concat([Buffer.alloc(1024 * 1024 - 5, 0xff), utf8(SECRET)])],
])("finds a secret that stands %s among bytes", async (_how, bytes) => {
  expect(await placeIn(bytes)).toBe("");
});

test.each<[string, string, () => Uint8Array]>([
  ["a workbook", "xl/worksheets/sheet1.xml", () => makeXlsx({ Sales: [["a", SECRET]] })],
  ["a document", "word/document.xml", () => makeDocx(["One", SECRET])],
  ["a ZIP", "in/a.txt", () => zipSync({ "b.txt": utf8("b"), "in/a.txt": utf8(SECRET.repeat(9)) })],
  [
    "a document within a ZIP",
    "a.docx",
    () => zipSync({ "a.docx": [new Uint8Array(makeDocx([SECRET])), { level: 0 }] }),
  ],
])("finds a secret that is packed in %s, and says where", async (_what, place, make) => {
  expect(await placeIn(make())).toContain(place === "word/document.xml" ? "word/" : place);
});

test("finds a secret that is packed by gzip", async () => {
  expect(await placeIn(gzipSync(utf8(`${"x".repeat(5_000)}${SECRET}`)))).toBe("");
});

test("finds a secret where two unpacked pieces meet, and in a packed large archive", async () => {
  for (const before of [MiB - 5, MiB + 60_000, 2 * MiB - 5]) {
    const text = Buffer.concat([Buffer.alloc(before, "x"), utf8(SECRET), Buffer.alloc(MiB, "x")]);
    expect(await placeIn(gzipSync(text))).toBe("");
  }
  const stored = Buffer.alloc(3 * MiB, "x");
  const archive = zipSync({ "a.bin": [stored, { level: 0 }], "b.txt": utf8(SECRET.repeat(9)) });
  expect(await placeIn(gzipSync(archive))).toBe("b.txt");
});

test("finds none where there is none, in broken archives or seeming ones", async () => {
  const zip = zipSync({ "a.txt": utf8("a ".repeat(9_000)), "b.txt": utf8("b") });
  for (const bytes of [zip, gzipSync(zip), makeXlsx({ S: [["a"]] }), utf8(""), around()])
    expect(await placeIn(bytes)).toBe(null);
  for (let at = 0; at < zip.length; at += 3) {
    const broken = zip.slice();
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    expect(await placeIn(broken)).toBe(null);
    expect(await placeIn(zip.subarray(0, at))).toBe(null);
  }
});

/** How much is read in a search, in characters, and what it comes to. */
async function readIn(bytes: Uint8Array, budget = unpackBudget()) {
  let characters = 0;
  // biome-ignore lint/correctness/useYield: it is done at once
  function* counted(text: string) {
    characters += text.length;
    return text;
  }
  const outcome = await findPackedSecret(bytes, {
    ...search(),
    redact: counted,
    budget,
  }).catch((error: Error) => error.message);
  return { characters, outcome };
}

interface Part {
  method: 0 | 8;
  body: Buffer;
  /** Entries of the directory that point to it. */
  entries?: number;
  /** Bytes of the parts behind it that are its own, too. */
  overlap?: number;
}

/** A ZIP whose directory need not be sound. */
function zipOf(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { method, body, entries = 1, overlap = 0 } of parts) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    const entry = Buffer.alloc(47, "a");
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(body.length + overlap, 20);
    entry.writeUInt16LE(1, 28);
    entry.writeUInt32LE(0, 30);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, body);
    at += local.length + body.length;
    for (let one = 0; one < entries; one += 1) directory.push(entry);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const TEXT = Buffer.alloc(4 * MiB, "text ");

test("what unpacks to more than is looked into is refused, and read no further", async () => {
  const { characters, outcome } = await readIn(
    gzipSync(Buffer.alloc(200 * MiB, "a"), { level: 1 }),
  );
  expect(outcome).toContain("unpacks to more than");
  expect(characters).toBeLessThan(67 * MiB);
}, 60_000);

test("files of one call share what is unpacked", async () => {
  const budget = unpackBudget();
  const bytes = gzipSync(Buffer.alloc(40 * MiB, "a"), { level: 1 });
  expect((await readIn(bytes, budget)).outcome).toBe(null);
  expect((await readIn(bytes, budget)).outcome).toContain("unpacks to more than");
}, 60_000);

test("what is stored in an archive is read once, and repeatedly refused", async () => {
  const once = zipOf([{ method: 0, body: TEXT }]);
  const read = await readIn(once);
  expect(read.outcome).toBe(null);
  // With the whole, as UTF-8 and, for the zeros of its headers, in part as UTF-16.
  expect(read.characters).toBeLessThan(once.length + 5 * 2 * MiB);
  const many = await readIn(zipOf([{ method: 0, body: TEXT, entries: 65_535 }]));
  expect(many.outcome).toContain("unpacks to more than");
  expect(many.characters).toBeLessThan(TEXT.length + 65_535 * 47 * 5 + 5 * 3 * MiB);
});

test.each<[string, () => Buffer]>([
  ["one archive that many entries name", () => zipOf([{ method: 0, body: TEXT }])],
  ["one packed text that many entries name", () => deflateRawSync(TEXT)],
  [
    "a packed text that breaks off, which unpacks all the same",
    () => Buffer.concat([deflateRawSync(TEXT).subarray(0, -100), Buffer.alloc(100, 0xff)]),
  ],
  [
    "packed bytes that unpack to nothing",
    () => Buffer.alloc(5 * MiB, Uint8Array.of(0, 0, 0, 0xff, 0xff)),
  ],
])(
  "%s is looked into no oftener than there is room",
  async (_what, make) => {
    const body = make();
    const method = body.readUInt32LE(0) === 0x04034b50 ? 0 : 8;
    const { characters, outcome } = await readIn(zipOf([{ method, body, entries: 65_535 }]));
    expect(outcome).toContain("unpacks to more than");
    expect(characters).toBeLessThan(64 * MiB + 5 * (body.length + 65_535 * 47 + 2 * MiB));
  },
  60_000,
);

test("entries at their own places with each other's bodies are read no oftener", async () => {
  const inner = zipOf([{ method: 0, body: Buffer.from("a") }]);
  const parts = Array.from({ length: 20_000 }, (_, n) => ({
    method: 0 as const,
    body: inner,
    overlap: (19_999 - n) * (inner.length + 30),
  }));
  expect((await readIn(zipOf(parts))).outcome).toContain("unpacks to more than");
});

test("one search is at work at a time", async () => {
  let atWork = 0;
  let most = 0;
  const one = async () => {
    const slow = function* (text: string) {
      atWork += 1;
      most = Math.max(most, atWork);
      yield;
      atWork -= 1;
      return text;
    };
    return findPackedSecret(zipSync({ "a.txt": utf8("a") }), { ...search(), redact: slow });
  };
  expect(await Promise.all([one(), one(), one()])).toEqual([null, null, null]);
  expect(most).toBe(1);
});
