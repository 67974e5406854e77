import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownLikeFolder } from "./own-like-folder.mjs";

test("a file belongs to the owner of its folder, also when root wrote it", () => {
  const folder = mkdtempSync(join(tmpdir(), "owner-"));
  const isRoot = process.getuid() === 0;
  if (isRoot) chownSync(folder, 12_345, 12_345);
  const path = join(folder, "file");
  writeFileSync(path, "");
  ownLikeFolder(path);
  expect(statSync(path).uid).toBe(statSync(folder).uid);
  rmSync(folder, { recursive: true });
});
