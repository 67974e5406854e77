import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIdentity } from "../../lib/platform/process-identity.mjs";
import { withLock } from "./file-lock.mjs";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  path = join(folder, "a.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("two holders never overlap, even in processes that meet a dead one's lock", async () => {
  writeFileSync(path, JSON.stringify({ token: "old", holders: [{ pid: 4_194_303, born: "x" }] }));
  const log = join(folder, "log");
  const module = new URL("./file-lock.mjs", import.meta.url).href;
  const code = `import { appendFileSync } from "node:fs"; const { withLock } = await \
import(${JSON.stringify(module)});
    for (let i = 0; i < 5; i++) await withLock(${JSON.stringify(path)}, async () => { \
appendFileSync(${JSON.stringify(log)}, "("); await new Promise((r) => setTimeout(r, 3)); \
appendFileSync(${JSON.stringify(log)}, ")"); });`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "inherit" }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readFileSync(log, "utf8")).toBe("()".repeat(20));
});

test("a lock whose process number now belongs to another process is taken over", async () => {
  writeFileSync(
    path,
    JSON.stringify({ token: "old", holders: [{ pid: process.ppid, born: "another boot:1" }] }),
  );
  expect(await withLock(path, async () => "done")).toBe("done");
  expect(existsSync(path)).toBe(false);
});

test("a lock is held as long as a child that was named lives, and the wait is told", async () => {
  writeFileSync(
    path,
    JSON.stringify({
      token: "old",
      holders: [{ pid: 4_194_303, born: "x" }, processIdentity(process.ppid)],
    }),
  );
  /** @type {unknown[]} */
  const waitedFor = [];
  await expect(
    withLock(path, async () => "never", { timeoutMs: 120, onWait: (pid) => waitedFor.push(pid) }),
  ).rejects.toThrow(/has held .* for too long/);
  expect(waitedFor).toHaveLength(1);
});

test("a failure inside releases the lock", async () => {
  await expect(withLock(path, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(existsSync(path)).toBe(false);
});
