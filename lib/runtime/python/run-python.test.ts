import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import { testService } from "@/lib/platform/test/test-service";
import { pythonArguments } from "@/lib/runtime/python/python-process";
import { type PythonOutcome, runPython } from "@/lib/runtime/python/run-python";
import { GuestFailure, type GuestRead } from "@/lib/runtime/sandbox/guest-reads";

// Each process starts for seconds, on a busy machine for many.
vi.setConfig({ testTimeout: 180_000 });
const service = testService();
afterAll(() => service.close());

const never = new AbortController().signal;
const run = (code: string, options: Partial<Parameters<typeof runPython>[0]> = {}) =>
  runPython({ code, files: [], session: "a", accountId: "a", signal: never, ...options });
const resultOf = (outcome: PythonOutcome): unknown => {
  if (!outcome.ok) throw new Error(outcome.error);
  return JSON.parse(outcome.result);
};

describe("runPython", () => {
  it("answers the last expression, what was printed, and the error with its line", async () => {
    expect(await run("print('hi')\n{'a': [1, 2.5, None], 3: float('nan')}")).toMatchObject({
      ok: true,
      result: '{"a": [1, 2.5, null], "3": "nan"}',
      log: "hi\n",
    });
    expect(await run("x = 1\nprint(x)\nx / 0")).toMatchObject({
      ok: false,
      error: "ZeroDivisionError: division by zero (line 3)",
      log: "1\n",
    });
    expect(await run("if")).toMatchObject({ ok: false, error: expect.stringContaining("line 1") });
  });

  it("keeps variables between the calls of a session, and of no other one", async () => {
    await run("secret = 42", { session: "one" });
    expect(await run("secret", { session: "one" })).toMatchObject({ result: "42", fresh: false });
    expect(await run("secret", { session: "two" })).toMatchObject({
      ok: false,
      fresh: true,
      error: expect.stringContaining("NameError"),
    });
    // A key is another account's only by mistake.
    expect(await run("secret", { session: "one", accountId: "b" })).toMatchObject({
      ok: false,
      fresh: true,
    });
  });

  const read: GuestRead = async (path) => {
    if (path === "locked") throw new GuestFailure("It is locked.");
    if (path !== "data/a.csv" && path !== "run:z.bin") return null;
    return Buffer.from("x,y\n1,2\n3,4\n");
  };

  it("runs a script as its command line would, imports neighbours, keeps none", async () => {
    const skill: Record<string, string> = {
      "skill:forms/scripts/fill.py":
        "import sys\nfrom shared import double\nif __name__ == '__main__':\n" +
        "  with open(sys.argv[2], 'w') as out: out.write(double(open(sys.argv[1]).read()))\n" +
        "  print('filled', sys.argv[0])\n  sys.exit(0)",
      "skill:forms/scripts/shared.py": "def double(text): return text * 2",
      "skill:forms/scripts/bad.py": "import sys\nsys.exit('no form')",
      "in.txt": "ab",
    };
    const files = Object.keys(skill);
    const options = {
      session: "scripts",
      files,
      read: async (path: string) => Buffer.from(skill[path] ?? ""),
    };
    const outcome = await run(
      "run_script('forms/scripts/fill.py', 'in.txt', 'out.txt')\nimport sys\nsys.argv",
      options,
    );
    expect(outcome).toMatchObject({ ok: true, log: "filled forms/scripts/fill.py\n" });
    expect(resultOf(outcome)).not.toContain("in.txt");
    const saved = outcome.ok ? outcome.files : [];
    expect(saved.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ["out.txt", "abab"],
    ]);
    const bad = await run("run_script('skill:forms/scripts/bad.py')", options);
    expect(bad).toMatchObject({ ok: false, error: expect.stringContaining("ended with no form") });
    expect(await run("run_script('forms/none.py')", options)).toMatchObject({
      error: expect.stringContaining("in files"),
    });
  });

  it("has each script import its own neighbours, though others' have their names", async () => {
    const texts: Record<string, string> = {
      "skill:one/x.py": "import kit.shared, top\nprint(kit.shared.NAME, top.NAME)",
      "skill:one/kit/shared.py": "NAME = 'one'",
      "skill:one/top.py": "NAME = 'first'",
      "skill:two/x.py": "from kit import shared\nimport top\nprint(shared.NAME, top.NAME)",
      "skill:two/kit/shared.py": "NAME = 'two'",
      "skill:two/top.py": "NAME = 'second'",
    };
    const options = {
      session: "alike",
      files: Object.keys(texts),
      read: async (path: string) => Buffer.from(texts[path] ?? ""),
    };
    expect(
      await run("for name in ('one', 'two', 'one'): run_script(f'{name}/x.py')", options),
    ).toMatchObject({ ok: true, log: "one first\ntwo second\none first\n" });
  });

  it("reads the files in its folder and hands out those that it writes there", async () => {
    const code = `
import csv, os, sqlite3, zipfile
rows = list(csv.DictReader(open("data/a.csv")))
os.makedirs("out", exist_ok=True)
open("out/sum.txt", "w").write(str(sum(int(row["y"]) for row in rows)))
open("raw.bin", "wb").write(bytes([0, 255, 10]))
len(rows)`;
    const outcome = await run(code, { files: ["data/a.csv"], read });
    expect(resultOf(outcome)).toBe(2);
    const written = outcome.ok ? outcome.files : [];
    expect(written.map(({ path, bytes }) => [path, [...bytes]])).toEqual([
      ["out/sum.txt", [...Buffer.from("6")]],
      ["raw.bin", [0, 255, 10]],
    ]);
    expect(await run("open('out/sum.txt').read()")).toMatchObject({ result: '"6"', files: [] });
    expect(await run("1", { files: ["gone.csv"], read })).toMatchObject({
      ok: false,
      error: expect.stringContaining("no such file: gone.csv"),
    });
  });

  it("has files by files[path], read and save, of which a call that fails keeps none", async () => {
    const code = `
save("a.txt", "ä"); save("run:a.txt", "b", append=True)
save("b.bin", bytearray([0, 255])); save("c.json", {"a": [1, None]})
def said(path):
    try: files[path]
    except Exception as error: return type(error).__name__ + ": " + str(error)
[files["data/a.csv"], len(read("run:z.bin")), "gone" in files, files.get("gone", 7), \
files["a.txt"], said("gone"), said("locked")]`;
    const outcome = await run(code, { read });
    expect(resultOf(outcome)).toEqual([
      "x,y\n1,2\n3,4\n",
      12,
      false,
      7,
      "äb",
      "KeyError: 'gone'",
      "OSError: It is locked.",
    ]);
    expect(outcome.ok && outcome.files.map(({ path, bytes }) => [path, String(bytes)])).toEqual([
      ["a.txt", "äb"],
      ["b.bin", Buffer.from([0, 255]).toString()],
      ["c.json", '{\n "a": [\n  1,\n  null\n ]\n}'],
    ]);
    expect(await run("save('d.txt', 'x')\n1 / 0", { read })).not.toHaveProperty("files");
    expect(await run("read('gone')", { read })).toMatchObject({
      ok: false,
      error: expect.stringContaining("FileNotFoundError: There is no such file: gone"),
    });
    expect(await run("1", { read })).toMatchObject({ files: [] });
    expect(await run("[save(f'{i}.txt', 'x') for i in range(51)]", { read })).toMatchObject({
      ok: true,
      files: [],
      problem: expect.stringContaining("at most 50"),
    });
    expect(await run("input()", { read })).toMatchObject({
      ok: false,
      error: expect.stringContaining("EOFError"),
    });
  });

  it("awaits, and stops what does not end; its definitions are said to be gone", async () => {
    expect(resultOf(await run("import asyncio\nawait asyncio.sleep(0.01)\n'slept'"))).toBe("slept");
    expect(await run("while True: pass", { deadlineMilliseconds: 1_500 })).toMatchObject({
      ok: false,
      error: expect.stringContaining("within 1.5 seconds"),
    });
    expect(await run("1")).toMatchObject({ ok: true, fresh: true });
  });

  it.each([
    ["bytes", "a = []\nwhile True: a.append(bytearray(1 << 24))"],
    ["a huge number", "x = 7 ** (10 ** 9)"],
    ["recursion", "def f(): return f()\nf()"],
  ])("survives a bomb of %s", async (_, code) => {
    expect(await run(code, { session: "bomb", deadlineMilliseconds: 20_000 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/Memory|memory|finish|Recursion/),
    });
  });

  it("reaches no network, whatever way it tries", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end("secret");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // of a server on TCP
    const url = `http://127.0.0.1:${port}/`;
    const attempts = [
      `import urllib.request\nurllib.request.urlopen("${url}", timeout=2).read()`,
      `import socket\ns = socket.create_connection(("127.0.0.1", ${port}), timeout=2)\n` +
        's.send(b"GET / HTTP/1.0\\r\\n\\r\\n")\ns.recv(10)',
      `from pyodide.http import pyfetch\nr = await pyfetch("${url}")\nawait r.string()`,
      `from pyodide.http import open_url\nopen_url("${url}").read()`,
      `import js\nawait js.fetch("${url}")`,
      `from js import XMLHttpRequest\nx = XMLHttpRequest.new()`,
      `import pyodide_js\npyodide_js.useNodeSockFS()`,
      `import micropip\nawait micropip.install("${url}a.whl")`,
    ];
    for (const code of attempts)
      expect(await run(code, { session: "net" }), code).toMatchObject({ ok: false });
    server.close();
    expect(asked).toBe(0);
  });

  it("reaches neither the machine's files nor the JavaScript around it", async () => {
    const attempts = [
      "open('/etc/passwd').read()",
      "import js\njs.process.env",
      "import js\njs.eval('1')",
      "from pyodide.code import run_js\nrun_js('1')",
      "import pyodide_js\npyodide_js.mountNodeFS('/mnt', '/')",
      "from pyodide.ffi import to_js\nto_js([1]).constructor.constructor('return process')()",
      "from pyodide.ffi import to_js\nto_js([1]).constructor.constructor('return " +
        "globalThis')().process.env",
      "import os\nos.fork()",
      "import subprocess\nsubprocess.run(['ls'])",
      "import ctypes\nctypes.CDLL(None).system(b'ls')\nraise SystemExit('ran')",
      "import sys\nsys.modules['js'].process",
      "ask = [cell.cell_contents for cell in read.__closure__][0].__closure__[0].cell_contents\n" +
        "ask.constructor('return process')()",
    ];
    for (const code of attempts)
      expect(await run(code, { session: "host" }), code).toMatchObject({ ok: false });
    expect(resultOf(await run("import os\ndict(os.environ).get('DATABASE_URL')"))).toBeNull();
    const walk = "import os\nsorted(os.listdir('/'))";
    expect(resultOf(await run(walk, { session: "host" }))).not.toContain("etc_host");
  });

  it("is killed when its call is aborted", async () => {
    const controller = new AbortController();
    const running = run("while True: pass", { session: "abort", signal: controller.signal });
    setTimeout(() => controller.abort(new Error("cancelled")), 200);
    await expect(running).rejects.toThrow("cancelled");
    expect(await run("1", { session: "abort" })).toMatchObject({ ok: true, fresh: true });
  });

  it.each([
    ["a file of the service", "require('node:fs').readFileSync('.env')"],
    ["another package", "require('node:fs').readFileSync('node_modules/pg/package.json')"],
    ["writing", "require('node:fs').writeFileSync('/tmp/x', '')"],
    ["another process", "require('node:child_process').execFileSync(process.execPath, ['-v'])"],
    ["a thread", "new (require('node:worker_threads').Worker)('1', { eval: true })"],
    ["code out of text", "new Function('1')"],
  ])("runs in a process that is denied %s", async (_, code) => {
    const ended = promisify(execFile)(process.execPath, [...pythonArguments(), "-e", code]);
    await expect(ended).rejects.toMatchObject({
      stderr: expect.stringMatching(/ERR_ACCESS_DENIED|EvalError/),
    });
  });
});
