import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPostgres } from "./embedded-postgres.mjs";
import { findPostmaster } from "./postmaster.mjs";

const LIMIT_MS = 60_000;
let folder = "";
/** @type {Awaited<ReturnType<typeof startPostgres>>[]} */
let open = [];

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

/**
 * @param {string} url
 * @param {string} sql
 */
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

/** @param {string} home */
function requirePostmaster(home) {
  const found = findPostmaster(home);
  if (!found) throw new Error("No server runs there.");
  return found;
}

/** The processes that watch over owners of this folder. */
function watches() {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line.includes("stop-orphan.mjs") && line.includes(folder))
    .filter((line) => !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Another process that starts the database of the folder, tells its address and stays.
 * @param {NodeJS.ProcessEnv} [environment]
 */
async function startElsewhere(environment = {}) {
  const module = new URL("./embedded-postgres.mjs", import.meta.url).href;
  const code =
    `const { startPostgres } = await import(${JSON.stringify(module)}); console.log((await ` +
    `startPostgres(${JSON.stringify(folder)})).url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await new Promise((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).split("\n"))),
  );
  return {
    url: line,
    pid: Number(child.pid),
    killGroup: () => process.kill(-Number(child.pid), "SIGKILL"),
  };
}

/** @param {string} seconds */
const lingering = (seconds) => ({ EMBEDDED_DATABASE_LINGER_SECONDS: seconds });
const untilStopped = () =>
  vi.waitFor(() => expect(findPostmaster(cluster())).toBe(null), {
    timeout: LIMIT_MS,
    interval: 50,
  });

test("two starts at once share one server, and the last to stop ends it", {
  timeout: LIMIT_MS,
}, async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(two.url).toBe(one.url);
  await one.stop();
  expect(await query(two.url, "SELECT 1 AS x")).toEqual([{ x: 1 }]);
  await two.stop();
  expect(findPostmaster(cluster())).toBe(null);
});

test("what was committed is there after a kill -9 of the service and of the server", {
  timeout: LIMIT_MS,
}, async () => {
  const other = await startElsewhere();
  await query(other.url, "CREATE TABLE kept (x int); INSERT INTO kept VALUES (7)");
  process.kill(requirePostmaster(cluster()).pid, "SIGKILL");
  other.killGroup();
  const again = await start();
  expect(await query(again.url, "SELECT x FROM kept")).toEqual([{ x: 7 }]);
});

test("a kill -9 of the process group leaves the server to the next start, which joins it", {
  timeout: LIMIT_MS,
}, async () => {
  const other = await startElsewhere();
  const { pid } = requirePostmaster(cluster());
  other.killGroup();
  const again = await start();
  expect(again.url).toBe(other.url);
  expect(requirePostmaster(cluster()).pid).toBe(pid);
});

test("a server whose owners were all killed ends in good order, commits kept", {
  timeout: LIMIT_MS,
}, async () => {
  const [one, two] = [await startElsewhere(lingering("1")), await startElsewhere(lingering("1"))];
  await query(two.url, "CREATE TABLE kept (x int); INSERT INTO kept VALUES (9)");
  const { pid } = requirePostmaster(cluster());
  one.killGroup();
  // What the first one's watch does is done long before the second one's: it has seen the other.
  await vi.waitFor(() => expect(watches()).toHaveLength(1), { timeout: LIMIT_MS, interval: 50 });
  expect(requirePostmaster(cluster()).pid).toBe(pid);
  two.killGroup();
  await untilStopped();
  await vi.waitFor(() => expect(watches()).toEqual([]), { timeout: LIMIT_MS, interval: 50 });
  const log = readFileSync(join(folder, "postgres.log"), "utf8");
  expect(log).toContain("nobody has used the database for 1 s; it is stopped");
  expect(log).toContain("database system is shut down");
  const again = await start();
  expect(await query(again.url, "SELECT x FROM kept")).toEqual([{ x: 9 }]);
});

test("a start while the server waits for its end joins it, and keeps it", {
  timeout: LIMIT_MS,
}, async () => {
  const other = await startElsewhere(lingering("5"));
  const { pid } = requirePostmaster(cluster());
  other.killGroup();
  const again = await start();
  expect(again.url).toBe(other.url);
  await vi.waitFor(() => expect(watches()).toHaveLength(1), { timeout: LIMIT_MS, interval: 50 });
  expect(requirePostmaster(cluster()).pid).toBe(pid);
});

test("a watch that is killed is replaced, and none outlives an orderly stop", {
  timeout: LIMIT_MS,
}, async () => {
  const first = await start();
  const [before = 0] = watches();
  process.kill(before, "SIGKILL");
  const isAnother = () => {
    expect(watches()).toHaveLength(1);
    expect(watches()).not.toContain(before);
  };
  await vi.waitFor(isAnother, { timeout: LIMIT_MS, interval: 50 });
  await first.stop();
  await vi.waitFor(() => expect(watches()).toEqual([]), { timeout: LIMIT_MS, interval: 50 });
});

test.each(["soon", "-1", " "])("a pause of %j is refused in one sentence", async (seconds) => {
  vi.stubEnv("EMBEDDED_DATABASE_LINGER_SECONDS", seconds);
  await expect(startPostgres(folder)).rejects.toThrow(/must be a number of seconds/);
  vi.unstubAllEnvs();
});

test("a server killed or ended under a running service comes back on the same address", {
  timeout: LIMIT_MS,
}, async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const { url } = await start();
  for (const signal of ["SIGKILL", "SIGTERM"]) {
    const { pid } = requirePostmaster(cluster());
    process.kill(pid, signal);
    const isAnother = () => {
      const found = findPostmaster(cluster());
      expect(found?.status).toBe("ready");
      expect(found?.pid).not.toBe(pid);
    };
    await vi.waitFor(isAnother, { timeout: 120_000, interval: 100 });
    await vi.waitFor(async () => expect(await query(url, "SELECT 1 AS x")).toEqual([{ x: 1 }]), {
      timeout: 120_000,
      interval: 100,
    });
  }
  told.mockRestore();
});

test("an emptied data folder means an empty database", { timeout: LIMIT_MS }, async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE gone (x int)");
  await first.stop();
  rmSync(folder, { recursive: true, force: true });
  const second = await start();
  expect(await query(second.url, "SELECT to_regclass('gone') AS found")).toEqual([{ found: null }]);
});

test("as root, a database with a closed data folder lives elsewhere, while its folder does", {
  timeout: LIMIT_MS,
  skip: process.getuid?.() !== 0,
}, async () => {
  const locked = mkdtempSync(join(tmpdir(), "postgres-locked-"));
  const inner = join(locked, "data");
  const hidden = await startPostgres(inner);
  const { home } = JSON.parse(readFileSync(join(inner, "postgres.json"), "utf8"));
  expect(isAbsolute(home)).toBe(true);
  expect(await query(hidden.url, "SELECT 1 AS x")).toEqual([{ x: 1 }]);
  // An owner that is being written is no reason to stop a server; one that stands there is not
  // written again.
  const { pid } = requirePostmaster(join(home, "cluster"));
  writeFileSync(join(home, "owner"), "");
  const beside = await start();
  expect(findPostmaster(join(home, "cluster"))?.pid).toBe(pid);
  expect(await query(hidden.url, "SELECT 2 AS x")).toEqual([{ x: 2 }]);
  await beside.stop();
  const { stop } = await startPostgres(inner);
  expect(readFileSync(join(home, "owner"), "utf8")).toBe(inner);
  const { ino } = statSync(join(home, "owner"));
  await (await startPostgres(inner)).stop();
  expect(statSync(join(home, "owner")).ino).toBe(ino);
  await stop();
  await hidden.stop();
  await start();
  expect(existsSync(home)).toBe(true);
  rmSync(locked, { recursive: true });
  await open.pop()?.stop();
  await start();
  expect(existsSync(home)).toBe(false);
});

test("a database that vanished from under its pointer is reported, not replaced", {
  timeout: LIMIT_MS,
}, async () => {
  const first = await start();
  await first.stop();
  rmSync(cluster(), { recursive: true });
  await expect(startPostgres(folder)).rejects.toThrow(/is gone/);
  expect(existsSync(cluster())).toBe(false);
});

const mayUnshare =
  spawnSync("unshare", [
    "--pid",
    "--ipc",
    "--net",
    "--fork",
    "--mount-proc",
    "ip",
    "link",
    "set",
    "lo",
    "up",
  ]).status === 0;

/** The same in namespaces of its own, as in another container with the same volume. */
async function startInContainer() {
  const module = new URL("./embedded-postgres.mjs", import.meta.url).href;
  const script = `const { startPostgres } = await import(${JSON.stringify(module)}); const folder \
= ${JSON.stringify(folder)};
    try { console.log((await startPostgres(folder)).url); } catch (error) { console.log("refused: \
" + error.message); process.exit(); } setInterval(() => {}, 1000);`;
  const child = spawn(
    "unshare",
    [
      "--pid",
      "--ipc",
      "--net",
      "--fork",
      "--kill-child",
      "--mount-proc",
      "sh",
      "-c",
      'ip link set lo up; exec "$@"',
      "sh",
      process.execPath,
      "--input-type=module",
      "-e",
      script,
    ],
    { detached: true, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = await new Promise((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).split("\n"))),
  );
  const exited = new Promise((resolve) => child.once("exit", resolve));
  return {
    line,
    async kill() {
      process.kill(-Number(child.pid), "SIGKILL");
      await exited;
    },
  };
}

test("a second container on the folder joins the running database, and starts none", {
  timeout: LIMIT_MS,
  skip: !mayUnshare,
}, async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE shared (x int); INSERT INTO shared VALUES (3)");
  const { pid } = requirePostmaster(cluster());
  const other = await startInContainer();
  expect(other.line).toContain("host=");
  expect(await query(other.line, "SELECT x FROM shared")).toEqual([{ x: 3 }]);
  await other.kill();
  expect(requirePostmaster(cluster()).pid).toBe(pid);
  expect(await query(first.url, "SELECT x FROM shared")).toEqual([{ x: 3 }]);
});

test("a database of another container is joined, and taken over when that is gone", {
  timeout: LIMIT_MS,
  skip: !mayUnshare,
}, async () => {
  const other = await startInContainer();
  expect(other.line).toContain("postgresql://");
  const joined = await start();
  expect(joined.url).toContain("host=");
  await query(joined.url, "CREATE TABLE kept (x int); INSERT INTO kept VALUES (5)");
  expect(findPostmaster(cluster())).toBe(null);
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  await other.kill();
  // The one in the container may still answer for a moment.
  const takenOver = async () => {
    expect(findPostmaster(cluster())).not.toBe(null);
    expect(await query(joined.url, "SELECT x FROM kept")).toEqual([{ x: 5 }]);
  };
  await vi.waitFor(takenOver, { timeout: 120_000, interval: 200 });
  told.mockRestore();
});

test("a folder of another machine is refused in words, and taken over once it is dead", {
  timeout: LIMIT_MS,
}, async () => {
  const first = await start();
  await first.stop();
  open.pop();
  const entry = join(folder, "processes", "7-other.json");
  writeFileSync(
    entry,
    JSON.stringify({
      pid: 7,
      born: "x",
      place: { machine: "other", boot: "other", pids: "" },
      host: "db-2",
    }),
  );
  await expect(startPostgres(folder)).rejects.toThrow(/is in use on db-2/);
  expect(findPostmaster(cluster())).toBe(null);
  utimesSync(entry, 1, 1);
  await start();
});

test("another program's number in the cluster's file keeps no server from starting", {
  timeout: LIMIT_MS,
}, async () => {
  const first = await start();
  const path = join(cluster(), "postmaster.pid");
  const stale = readFileSync(path, "utf8").replace(/^\d+/, String(process.pid));
  await first.stop();
  open.pop();
  writeFileSync(path, stale);
  const again = await start();
  expect(await query(again.url, "SELECT 1 AS x")).toEqual([{ x: 1 }]);
});

test("a copied folder never writes into the original's database", {
  timeout: LIMIT_MS,
}, async () => {
  const original = await start();
  await query(original.url, "CREATE TABLE original (x int)");
  const copy = mkdtempSync(join(tmpdir(), "postgres-copy-"));
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\.s\.PGSQL\.\d+$/.test(path) });
  try {
    const other = await startPostgres(copy).catch(() => null);
    if (other) {
      await query(other.url, "CREATE TABLE copied (x int)");
      await other.stop();
    }
    expect(await query(original.url, "SELECT to_regclass('copied') AS found")).toEqual([
      { found: null },
    ]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test.runIf(process.getuid?.() === 0)(
  "a copy of a folder whose database lies elsewhere is refused by name",
  { timeout: LIMIT_MS },
  async () => {
    const locked = mkdtempSync(join(tmpdir(), "postgres-locked-"));
    const inner = join(locked, "data");
    const first = await startPostgres(inner);
    cpSync(inner, join(locked, "copy"), { recursive: true });
    await expect(startPostgres(join(locked, "copy"))).rejects.toThrow(/is a copy of/);
    await first.stop();
    rmSync(locked, { recursive: true });
  },
);
