import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { testService, withService } from "@/lib/platform/test/test-service";
import { CONTAINER_DRIVER } from "@/lib/runtime/python/container-driver.mjs";
import { PRELUDE } from "@/lib/runtime/python/prelude.mjs";
import { type PythonOutcome, runPython } from "@/lib/runtime/python/run-python";
import { packFrame } from "@/lib/runtime/sandbox/frame-reader";
import { GuestFailure, READ_TOO_MUCH } from "@/lib/runtime/sandbox/guest-reads";

// A container runtime is stood in for by a program that notes its words and runs this machine's
// Python, in a group of processes that it ends when it is told to: what is tested is what the
// runtime is told, and the talk with what runs inside.

vi.setConfig({ testTimeout: 120_000 });

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 9)"]);
    return true;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(path.join(tmpdir(), "lathe-container-"));
const runtime = path.join(folder, "runtime");
const notes = path.join(folder, "notes");
writeFileSync(
  runtime,
  `#!/bin/sh
printf '%s\\n' "$@" >> ${notes}
printf '%s\\n' "$HOME" "$XDG_RUNTIME_DIR" "$DATABASE_URL" >> ${notes}.environment
if [ "$1" = rm ]; then
  kill -s KILL -- "-$(cat "${folder}/$3")"
  exit
fi
[ "$1" = run ] || exit 0
group=${folder}/$5
while [ "$1" != "-c" ]; do shift; done
work=$(mktemp -d ${folder}/work-XXXXXX)
exec python3 -c '
import os, sys
os.setsid()
with open(sys.argv[1], "w") as group:
    group.write(str(os.getpid()))
os.execvp("python3", ["python3", "-c", *sys.argv[2:]])
' "$group" "$2" "$3" "$work"
`,
);
chmodSync(runtime, 0o755);

testService({
  PYTHON_CONTAINER_RUNTIME: runtime,
  PYTHON_CONTAINER_IMAGE: "image:1",
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const noted = () => (existsSync(notes) ? readFileSync(notes, "utf8") : "");
const never = new AbortController().signal;
const run = (code: string, options: Partial<Parameters<typeof runPython>[0]> = {}) =>
  runPython({ code, files: [], session: "a", accountId: "a", signal: never, ...options });
const resultOf = (outcome: PythonOutcome): unknown => {
  if (!outcome.ok) throw new Error(outcome.error);
  return JSON.parse(outcome.result);
};

describe.skipIf(!hasPython())("Python in a container", () => {
  beforeEach(() => rmSync(notes, { force: true }));

  it("is begun without a network, bounded and apart, and removed by its name", async () => {
    const session = "begun";
    expect(resultOf(await run("6 * 7", { session }))).toBe(42);
    const words = noted();
    for (const said of [
      "--network\nnone\n",
      "--read-only\n",
      "--cap-drop\nALL\n",
      "no-new-privileges\n",
      "--user\n65534:65534\n",
      "--memory\n1g\n--memory-swap\n1g\n",
      "--pids-limit\n64\n",
      "--cpus\n1\n",
      "--tmpfs\n/work:rw,mode=1777,size=256m\n",
      "--tmpfs\n/tmp:rw,mode=1777,size=256m\n",
      "--log-driver\nnone\n",
      "--env\nHOME=/tmp\n",
      "--env\nOPENBLAS_NUM_THREADS=1\n",
      "--env\nOMP_NUM_THREADS=1\n",
      "--pull\nnever\n",
      "python3\nimage:1\n",
    ])
      expect(words).toContain(said);
    expect(words).not.toMatch(/--volume|--mount|-v\n/);
    const names = [...words.matchAll(/--name\n(\S+)/g)].map(([, name]) => name);
    expect(await run("while True: pass", { session, deadlineMilliseconds: 500 })).toMatchObject({
      ok: false,
      error: expect.stringContaining("did not finish"),
    });
    await vi.waitFor(() =>
      expect(noted()).toMatch(new RegExp(`rm\n--force\n(?:${names.join("|")})\n`)),
    );
  });

  it("has its runtime know the service's home, no user's, and nothing else", async () => {
    vi.stubEnv("HOME", folder);
    vi.stubEnv("DATABASE_URL", "secret");
    const own = { PYTHON_CONTAINER_RUNTIME: runtime, PYTHON_CONTAINER_IMAGE: "image:1" };
    expect(await withService(own, () => run("1"))).toMatchObject({ ok: true });
    vi.unstubAllEnvs();
    const told = `${folder}\n/run/user/${process.getuid?.()}\n\n`;
    expect(readFileSync(`${notes}.environment`, "utf8")).toContain(told);
  });

  it("answers values, prints and errors by line like the sandbox, with variables", async () => {
    const session = "words";
    expect(await run("print('hi')\nx = {'a': [1, None]}\nx", { session })).toMatchObject({
      ok: true,
      result: '{"a": [1, null]}',
      log: "hi\n",
      fresh: true,
    });
    expect(
      await run("import asyncio\nawait asyncio.sleep(0)\nx['a'][0]", { session }),
    ).toMatchObject({ result: "1", fresh: false });
    expect(await run("y = 1\ny / 0", { session })).toMatchObject({
      ok: false,
      error: "ZeroDivisionError: division by zero (line 2)",
    });
    expect(await run("import sys; sys.stdin.read()", { session })).toMatchObject({ ok: true });
    expect(await run("import sys; sys.exit(3)", { session })).toMatchObject({ ok: false });
    expect(resultOf(await run("x['a']", { session }))).toEqual([1, null]);
    // Half of a pair is a text of Python's, and no UTF-8.
    expect(await run("print('\\ud800')\n'\\udc00'", { session })).toMatchObject({
      ok: true,
      result: '"\udc00"',
      log: "\ud800\n",
      fresh: false,
    });
    // Past its log there is no way to the engine's.
    const same =
      "import os\n[os.path.samestat(os.fstat(fd), os.stat(os.devnull)) for fd in range(3)]";
    expect(resultOf(await run(same, { session }))).toEqual([true, true, true]);
  });

  it("reads files when looking, has named ones in its folder, and hands out saved", async () => {
    const read = async (name: string) => {
      if (name === "locked") throw new GuestFailure("It is locked.");
      const texts: Record<string, string> = {
        "a.csv": "x,y\n1,2\n",
        "skill:forms/scripts/fill.py": "import sys\nopen('filled.txt', 'w').write(sys.argv[1])",
      };
      return texts[name] === undefined ? null : Buffer.from(texts[name]);
    };
    const outcome = await run(
      `save("sum.txt", files["a.csv"].splitlines()[1])
save("raw.bin", bytes([0, 255]))
run_script("forms/scripts/fill.py", "seven")
try:
  files["locked"]
except OSError as error: print(error)
[open("a.csv").read(), read("a.csv") == files["a.csv"].encode(), "none.csv" in files]`,
      { session: "files", files: ["a.csv", "skill:forms/scripts/fill.py"], read },
    );
    expect(resultOf(outcome)).toEqual(["x,y\n1,2\n", true, false]);
    expect(outcome.log).toBe("It is locked.\n");
    const saved = outcome.ok ? outcome.files : [];
    expect(
      Object.fromEntries(saved.map(({ path: name, bytes }) => [name, [...bytes]])),
    ).toMatchObject({
      "sum.txt": [..."1,2"].map((letter) => letter.charCodeAt(0)),
      "raw.bin": [0, 255],
      "filled.txt": [..."seven"].map((letter) => letter.charCodeAt(0)),
    });
    expect(saved).toHaveLength(3);
  });

  it("asks for no file once a call has had its bytes, or asked ten thousand times", async () => {
    let asked = 0;
    const large = Buffer.alloc(64 * 1024 * 1024);
    const read = async (name: string) => {
      asked += 1;
      return name === "large" ? large : null;
    };
    const code = (name: string, times: number) => `for _ in range(${times}): files.get("${name}")
try:
  files.get("${name}")
except OSError as error: print(error)`;
    const session = "asks";
    expect(await run(code("large", 4), { session, read })).toMatchObject({
      log: `large is not read: ${READ_TOO_MUCH}\n`,
    });
    expect(asked).toBe(4);
    asked = 0;
    expect(await run(code("none", 10_000), { session, read })).toMatchObject({
      log: "One call reads at most 10000 times.\n",
    });
    expect(asked).toBe(10_000);
  });

  it("takes no answer of the code's own whose result is no JSON", async () => {
    const forge = (result: string) =>
      `import __main__, json
answer = {"result": ${JSON.stringify(result)}, "log": {"text": "", "cut": False}}
__main__.write_frame({"answer": True}, json.dumps(answer).encode())`;
    const none = { ok: false, error: "Python gave no answer." };
    expect(await run(forge("{"), { session: "forged" })).toMatchObject(none);
    expect(await run(forge("1"), { session: "well forged" })).toMatchObject({ result: "1" });
  });

  it("ends all that it has begun when nobody speaks to it, whatever its code", async () => {
    const work = mkdtempSync(path.join(folder, "alone-"));
    const child = spawn("python3", ["-c", CONTAINER_DRIVER, PRELUDE, work], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const code = "import os\nopen('pid', 'w').write(str(os.getpid()))\nwhile True: pass";
    const limits = { outputMaxCharacters: 100, filesMax: 1, filesMaxBytes: 100 };
    for (const piece of packFrame({ code, paths: [], ...limits })) child.stdin.write(piece);
    const pid = await vi.waitFor(
      () => Number(readFileSync(path.join(work, "pid"), "utf8")) || expect.fail("not at work"),
      { timeout: 60_000 },
    );
    try {
      // What it says is heard on: only that nobody is left to tell it anything ends it.
      child.stdin.destroy();
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
    } finally {
      child.kill("SIGKILL");
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    }
  });

  it.each([
    ["is not there", "none", "ENOENT"],
    ["refuses", "refusing", /^x{2000,2047}\nno such image: image:1$/],
  ])(
    "says that Python could not be started where the runtime %s, and logs why",
    async (_what, name, why) => {
      const refusing = `#!/bin/sh
printf '%05000d\\n' 0 | tr 0 x >&2
echo "no such image: image:1" >&2
exit 125
`;
      writeFileSync(path.join(folder, "refusing"), refusing, { mode: 0o755 });
      const without = {
        PYTHON_CONTAINER_RUNTIME: path.join(folder, name),
        PYTHON_CONTAINER_IMAGE: "image:1",
      };
      const logged = vi.spyOn(log, "error").mockReturnValue();
      expect(await withService(without, () => run("1"))).toMatchObject({
        ok: false,
        error: expect.stringContaining("could not be started"),
      });
      expect(logged).toHaveBeenCalledWith(
        { began: expect.any(String), said: expect.stringMatching(why) },
        "Python's container did not begin",
      );
      logged.mockRestore();
    },
  );
});
