import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecrets } from "./secrets.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("starts at the same time agree on the secrets, and later ones keep them", async () => {
  const [first, ...others] = await Promise.all(
    Array.from({ length: 8 }, () => loadSecrets(folder)),
  );
  for (const other of [...others, await loadSecrets(folder)]) expect(other).toEqual(first);
  const [key] = JSON.parse(first?.ENCRYPTION_KEYS ?? "");
  expect(Buffer.from(key.key, "base64")).toHaveLength(32);
});

test("only the owner can read the file", async () => {
  await loadSecrets(folder);
  expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("damaged secrets are reported and never replaced", async () => {
  const path = join(folder, "secrets.json");
  writeFileSync(path, '{"NEXTAUTH_SECRET": "abc"');
  await expect(loadSecrets(folder)).rejects.toThrow(/damaged/);
  expect(readFileSync(path, "utf8")).toBe('{"NEXTAUTH_SECRET": "abc"');
});
