import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { makeDocx, makeXlsx } from "@/e2e/support/make-documents";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { findPackedSecret } from "@/lib/runtime/tools/find-packed-secret";

const SECRET = "tok-9f8e7d6c5b4a-ü";
const { redactInSteps: redact } = createRedactor([SECRET]);
const placeIn = (bytes: Uint8Array) =>
  findPackedSecret(bytes, { redact, signal: new AbortController().signal });
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

test("finds none where there is none, in broken archives, and in what only looks like one", async () => {
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

test("what unpacks to more than is looked into is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 });
  await expect(placeIn(bomb)).rejects.toThrow("unpacks to more than");
}, 60_000);
