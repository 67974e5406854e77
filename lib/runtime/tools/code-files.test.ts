import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { READ_TOO_MUCH } from "@/lib/runtime/sandbox/guest-reads";
import { guestRead, keepSaved } from "@/lib/runtime/tools/code-files";
import type { ToolContext } from "@/lib/runtime/tools/tool";
import { FileTooLarge } from "@/lib/runtime/tools/tool";

const SECRET = "tok-9f8e7d6c5b4a";
const COMPOSED = "Schlüssel-9f8e";
const utf8 = (text: string) => new TextEncoder().encode(text);

/** What is stored of files that code has saved; nothing where one is refused. */
async function kept(
  files: Record<string, Uint8Array>,
  mime?: string,
): Promise<Record<string, Uint8Array>> {
  const stored: Record<string, Uint8Array> = {};
  // The function uses nothing else of it.
  const context = {
    accountId: "account",
    signal: new AbortController().signal,
    redact: createRedactor([SECRET, COMPOSED, "e"]).redactInSteps,
    redactSpoken: createRedactor([SECRET, COMPOSED]).redactInSteps,
    files: {
      async saveAll(saved: { path: string; bytes: Uint8Array }[]) {
        for (const { path, bytes } of saved) stored[path] = bytes;
        return saved.map(({ path, bytes }) => ({ path, size_bytes: bytes.length }));
      },
    },
  } as unknown as ToolContext;
  const refused = await keepSaved(
    Object.entries(files).map(([path, bytes]) => ({ path, bytes, ...(mime && { mime }) })),
    context,
  ).then(
    () => null,
    (error: Error) => error.message,
  );
  if (refused !== null) {
    expect(stored).toEqual({});
    throw new Error(refused);
  }
  return stored;
}

test("a text loses its secrets, and bytes in which none stands stay as they are", async () => {
  const archive = zipSync({ "a.txt": utf8("a ".repeat(2_000)) });
  const stored = await kept({ "a.txt": utf8(`it is ${SECRET}`), "b.zip": archive });
  expect(new TextDecoder().decode(stored["a.txt"])).toBe("it is [redacted]");
  expect(stored["b.zip"]).toEqual(archive);
});

test.each([
  ["bytes", Buffer.concat([Uint8Array.of(0xff), utf8(SECRET)]), "holds a secret"],
  ["UTF-16, which reads as UTF-8 too", Buffer.from(SECRET, "utf16le"), "holds a secret"],
  ["an archive", zipSync({ "in/a.txt": utf8(SECRET.repeat(9)) }), 'in its part "in/a.txt"'],
])("a secret in %s has all of a call refused, with its place", async (_what, bytes, told) => {
  await expect(kept({ "plain.txt": utf8("pl"), "odd.bin": bytes })).rejects.toThrow(told);
});

test("a secret in a file's name or its type has all of a call refused", async () => {
  const files = { "plain.txt": utf8("pl"), [`of/${SECRET}.txt`]: utf8("pl") };
  await expect(kept(files)).rejects.toThrow("The name of a file holds a secret");
  const typed = kept({ "plain.txt": utf8("pl") }, `text/x-${SECRET}`);
  await expect(typed).rejects.toThrow("The type of a file holds a secret");
  // Letters are put together where a path is stored.
  const apart = { [`${COMPOSED.normalize("NFD")}.txt`]: utf8("pl") };
  await expect(kept(apart)).rejects.toThrow("The name of a file holds a secret");
  // One that is short is a word like any other: only texts lose it.
  expect(await kept({ "report.txt": utf8("x") })).toEqual({ "report.txt": utf8("x") });
});

test("a document is read once for all texts looked for, 256 MiB of them at most", async () => {
  const mebibyte = 1024 * 1024;
  const read: string[] = [];
  const files = {
    readBytes: () => Promise.reject(new Error("unused")),
    namesOf: () => Promise.reject(new Error("unused")),
    async readIfThere(path: string, maxBytes: number) {
      if (!path.endsWith(".txt")) return null;
      const bytes = Buffer.alloc(60 * mebibyte, "x".repeat(99));
      if (bytes.length > maxBytes) throw new FileTooLarge(path, bytes.length, maxBytes);
      read.push(path);
      return bytes;
    },
  };
  // It uses no more.
  const context = { signal: new AbortController().signal } as unknown as ToolContext;
  const guest = guestRead(files, context);
  const max = 64 * mebibyte;
  for (const sheet of ["one", "two", "three"])
    expect(await guest(`a.txt#${sheet}`, "text", max)).toBeNull();
  expect((await guest("a.txt", "text", max))?.length).toBe(60 * mebibyte);
  expect(read).toEqual(["a.txt"]);
  for (const name of ["b.txt", "c.txt", "d.txt"]) await guest(`${name}#none`, "text", max);
  await expect(guest("e.txt#none", "text", max)).rejects.toThrow(
    `e.txt is not read: ${READ_TOO_MUCH}`,
  );
  expect(read).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
});
