import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const CLONE = fileURLToPath(new URL("../..", import.meta.url));
const SYSTEM = `${process.platform}-${process.arch}`;

let root = "";
/** @type {number[]} */
const started = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "on-supported-node-"));
  for (const path of ["scripts/setup", "lib/platform"])
    cpSync(join(CLONE, path), join(root, path), { recursive: true });
});
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
  rmSync(root, { recursive: true, force: true });
});

/** A clone whose table takes this Node.js for an old one, and which has brought one along. */
function makeNodeOld() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  writeFileSync(
    join(root, "scripts/setup/node-lines.json"),
    JSON.stringify({
      lines: [
        { line: major, end: "2020-01-01" },
        { line: major + 2, end: "2099-01-01", least: `${major + 2}.0.0` },
      ],
      brought: { [SYSTEM]: { package: "n", version: `${major + 2}.0.0`, integrity: "" } },
    }),
  );
  const program = join(root, `.cache/node/${SYSTEM}-${major + 2}.0.0/bin/node`);
  mkdirSync(dirname(program), { recursive: true });
  symlinkSync(process.execPath, program);
  return program;
}

/**
 * @param {string} body
 * @param {string[]} [args]
 */
function run(body, args = []) {
  const script = join(root, "scripts/command.mjs");
  writeFileSync(script, `import "./setup/on-supported-node.mjs";\n${body}`);
  const child = spawn(process.execPath, ["--title=as-given", script, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid) started.push(child.pid);
  const ended = once(child, "exit");
  return { child, ended, output: text(child.stdout), errors: text(child.stderr) };
}

test("on a supported Node.js the command runs where it was started", async () => {
  const { child, ended, output, errors } = run("console.log(process.pid);");
  expect(Number(await output)).toBe(child.pid);
  expect(await errors).toBe("");
  expect(await ended).toEqual([0, null]);
});

test("on an old one it goes on in the brought one, with options, input, path", async () => {
  const program = makeNodeOld();
  const { child, ended, output, errors } = run(
    `import { text } from "node:stream/consumers";
     const { PATH, NODE, LATHE_NODE_SHELL_PIPE } = process.env;
     console.log(JSON.stringify({ args: process.argv.slice(2), execArgv: process.execArgv, path: \
PATH.split(":")[0], NODE, pipe: LATHE_NODE_SHELL_PIPE ?? null, input: await text(process.stdin), \
parent: process.ppid }));
     process.exit(7);`,
    ["--exit", "two words"],
  );
  child.stdin.end("typed");
  expect(JSON.parse(await output)).toEqual({
    args: ["--exit", "two words"],
    execArgv: ["--title=as-given"],
    path: dirname(program),
    NODE: program,
    pipe: null,
    input: "typed",
    parent: child.pid,
  });
  expect(await errors).toMatch(/^Node \S+ lacks security fixes: going on with Node \S+, [^\n]*\n$/);
  expect(await ended).toEqual([7, null]);
});

test("nothing of the command's own lines runs in the old process", async () => {
  makeNodeOld();
  const { ended } = run(
    `import { appendFileSync } from "node:fs"; appendFileSync("ran", "once ");`,
  );
  await ended;
  expect(readFileSync(join(root, "ran"), "utf8")).toBe("once ");
});

const WAITS = `process.on("SIGTERM", () => { console.log("stopped"); process.exit(3); });
  setInterval(() => {}, 1000); console.log(process.pid);`;

/** @param {import("node:child_process").ChildProcess} child */
async function firstLine(child) {
  let seen = "";
  child.stdout?.on("data", (/** @type {Buffer} */ chunk) => {
    seen += chunk;
  });
  await vi.waitFor(() => expect(seen).toContain("\n"), { timeout: 60_000 });
  const pid = Number(seen);
  started.push(pid);
  return { pid, seen: () => seen };
}

test("SIGTERM to the started process stops the command its way, with its exit code", async () => {
  makeNodeOld();
  const { child, ended } = run(WAITS);
  const { seen } = await firstLine(child);
  child.kill("SIGTERM");
  expect(await ended).toEqual([3, null]);
  expect(seen()).toMatch(/stopped/);
});

test("a command that a signal ends ends its shell by that signal", async () => {
  makeNodeOld();
  const { child, ended } = run(WAITS);
  const { pid } = await firstLine(child);
  process.kill(pid, "SIGABRT");
  expect((await ended)[1]).toBe("SIGABRT");
});

test("a shell that is killed takes the command with it", async () => {
  makeNodeOld();
  const { child, ended } = run(WAITS);
  const { pid } = await firstLine(child);
  child.kill("SIGKILL");
  await ended;
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000 });
});

test("the pipe keeps no command alive that has nothing left to do", async () => {
  makeNodeOld();
  const { ended } = run(`console.log("done");`);
  expect(await ended).toEqual([0, null]);
});

test("a system for which there is none is one sentence and an exit code", async () => {
  makeNodeOld();
  const file = join(root, "scripts/setup/node-lines.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), brought: {} }));
  const { ended, errors } = run(
    `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");`,
  );
  expect(await errors).toMatch(/^Lathe needs Node [^\n]* it can bring none of its own\.\n$/);
  expect(await ended).toEqual([1, null]);
  expect(existsSync(join(root, "ran"))).toBe(false);
});

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie that nobody has waited for is dead.
  return (
    !existsSync(`/proc/${pid}/stat`) || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  );
}
