import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPostgres } from "./postgres.mjs";
import { findPostmaster } from "./postmaster.mjs";

const LIMIT_MS = 60_000;
let folder;
let open;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postgres-test-"));
  open = [];
});
afterEach(async () => {
  for (const postgres of open) await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const postgres = await startPostgres(folder);
  open.push(postgres);
  return postgres;
}

function cluster() {
  const { home } = JSON.parse(readFileSync(join(folder, "postgres.json"), "utf8"));
  return join(isAbsolute(home) ? home : join(folder, home), "cluster");
}

async function query(url, sql) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the database of the folder, tells its address and stays. */
async function startElsewhere() {
  const module = new URL("./postgres.mjs", import.meta.url).href;
  const code = `const { startPostgres } = await import(${JSON.stringify(module)}); console.log((await startPostgres(${JSON.stringify(folder)})).url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await new Promise((resolve) => child.stdout.once("data", (chunk) => resolve(String(chunk).split("\n"))));
  return { url: line, killGroup: () => process.kill(-child.pid, "SIGKILL") };
}

test("two starts at once share one server, and the last to stop ends it", { timeout: LIMIT_MS }, async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(two.url).toBe(one.url);
  await one.stop();
  expect(await query(two.url, "select 1 as x")).toEqual([{ x: 1 }]);
  await two.stop();
  expect(findPostmaster(cluster())).toBe(null);
});

test("what was committed is there after a kill -9 of the service and of the server", { timeout: LIMIT_MS }, async () => {
  const other = await startElsewhere();
  await query(other.url, "create table kept (x int); insert into kept values (7)");
  process.kill(findPostmaster(cluster()).pid, "SIGKILL");
  other.killGroup();
  const again = await start();
  expect(await query(again.url, "select x from kept")).toEqual([{ x: 7 }]);
});

test("a kill -9 of the process group leaves the server to the next start, which joins it", { timeout: LIMIT_MS }, async () => {
  const other = await startElsewhere();
  const { pid } = findPostmaster(cluster());
  other.killGroup();
  const again = await start();
  expect(again.url).toBe(other.url);
  expect(findPostmaster(cluster()).pid).toBe(pid);
});

test("a server that is killed or told to end under a running service comes back on the same address", { timeout: LIMIT_MS }, async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const { url } = await start();
  for (const signal of ["SIGKILL", "SIGTERM"]) {
    const { pid } = findPostmaster(cluster());
    process.kill(pid, signal);
    const isAnother = () => {
      const found = findPostmaster(cluster());
      expect(found?.status).toBe("ready");
      expect(found.pid).not.toBe(pid);
    };
    await vi.waitFor(isAnother, { timeout: 20_000, interval: 100 });
    await vi.waitFor(async () => expect(await query(url, "select 1 as x")).toEqual([{ x: 1 }]), { timeout: 20_000, interval: 100 });
  }
  told.mockRestore();
});

test("an emptied data folder means an empty database", { timeout: LIMIT_MS }, async () => {
  const first = await start();
  await query(first.url, "create table gone (x int)");
  await first.stop();
  rmSync(folder, { recursive: true, force: true });
  const second = await start();
  expect(await query(second.url, "select to_regclass('gone') as found")).toEqual([{ found: null }]);
});

test("as root, a database whose data folder nobody else may enter lives elsewhere, and goes when a temporary folder is gone", {
  timeout: LIMIT_MS,
  skip: process.getuid?.() !== 0,
}, async () => {
  const locked = mkdtempSync(join(tmpdir(), "postgres-locked-"));
  const inner = join(locked, "data");
  const hidden = await startPostgres(inner);
  const { home } = JSON.parse(readFileSync(join(inner, "postgres.json"), "utf8"));
  expect(isAbsolute(home)).toBe(true);
  expect(await query(hidden.url, "select 1 as x")).toEqual([{ x: 1 }]);
  await hidden.stop();
  await start();
  expect(existsSync(home)).toBe(true);
  rmSync(locked, { recursive: true });
  await open.pop().stop();
  await start();
  expect(existsSync(home)).toBe(false);
});

test("a database that vanished from under its pointer is reported, not replaced", { timeout: LIMIT_MS }, async () => {
  const first = await start();
  await first.stop();
  rmSync(cluster(), { recursive: true });
  await expect(startPostgres(folder)).rejects.toThrow(/is gone/);
  expect(existsSync(cluster())).toBe(false);
});
