import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chownLikeParent } from "./owned-files.mjs";

test.runIf(process.getuid?.() === 0)(
  "a file that root wrote belongs to the owner of its folder (needs root)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "owner-"));
    chownSync(folder, 12_345, 12_345);
    const path = join(folder, "file");
    writeFileSync(path, "");
    chownLikeParent(path);
    expect(statSync(path).uid).toBe(12_345);
    rmSync(folder, { recursive: true });
  },
);
