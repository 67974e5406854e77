import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { getPriority, platform } from "node:os";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import {
  GUEST_FILES_MAX_BYTES,
  GuestFailure,
  READ_TOO_MUCH,
} from "@/lib/runtime/sandbox/guest-reads";
import { GUEST_READABLE, runGuestCode } from "@/lib/runtime/sandbox/run-guest-code";
import { permissions } from "@/lib/runtime/sandbox/run-limited-child";

// Each call starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;
const run = (code: string, files: Record<string, string> = {}, deadlineMilliseconds = 5000) =>
  runGuestCode({ code, files, accountId: "a", signal: never, deadlineMilliseconds });

describe("the sandbox", () => {
  it("answers the last expression's value and what was logged", async () => {
    expect(await run("console.log('hi', {a: 1}); const x = 2; x * 21")).toEqual({
      ok: true,
      result: "42",
      cut: false,
      log: 'hi {\n  "a": 1\n}\n',
      files: [],
    });
  });

  it("answers what is returned, after await too", async () => {
    expect(await run("const x = await Promise.resolve(4); return {x}")).toMatchObject({
      ok: true,
      result: '{"x":4}',
    });
  });

  it("runs code once even when it throws a SyntaxError of its own", async () => {
    expect(await run("console.log('once'); JSON.parse('{')")).toMatchObject({
      ok: false,
      log: "once\n",
    });
  });

  it("names a guest's error and its line", async () => {
    expect(await run("const a = 1;\nnull.x")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/TypeError.*line 2/),
    });
    expect(await run("const = 3")).toMatchObject({
      ok: false,
      error: expect.stringContaining("SyntaxError"),
    });
  });

  it("says what JSON cannot", async () => {
    expect(
      await run("[NaN, Infinity, 10n, new Set([1]), new Map([['k', 2]]), undefined]"),
    ).toMatchObject({
      result: '["NaN","Infinity","10",[1],{"k":2},null]',
    });
  });

  it("reads tables with quotes, CRLF, missing numbers, codes and twin columns", async () => {
    const text =
      '\ufeffzip,name,n,n\r\n00501,"Holtsville, ""NY""",1.5,NA\r\n94110,"two\nlines",,7\r\n';
    const rows = await run("parseCsv(files['a.csv'])", { "a.csv": text });
    expect(rows.ok && JSON.parse(rows.result)).toEqual([
      { zip: "00501", name: 'Holtsville, "NY"', n: 1.5, n_2: null },
      { zip: "94110", name: "two\nlines", n: null, n_2: 7 },
    ]);
  });

  it("reads JSON, lines of JSON and tabs by the file's name", async () => {
    const files = {
      "a.json": '{"meta":1,"rows":[{"a":1},{"a":2}]}',
      "b.jsonl": '{"a":3}\n{"a":4}\n',
      "c.tsv": "a\tb\n5\tx\n",
    };
    expect(
      await run("['a.json','b.jsonl','c.tsv'].map(p => readTable(p).map(r => r.a))", files),
    ).toMatchObject({
      result: "[[1,2],[3,4],[5]]",
    });
  });

  it("has no network, files, environment, timers or way to the host", async () => {
    const names =
      "process,require,fetch,XMLHttpRequest,WebSocket,setTimeout,Deno,Buffer,WebAssembly,Worker," +
      "__log,__files";
    const code = `'${names}'.split(',').filter(n => typeof globalThis[n] !== 'undefined')`;
    expect(await run(code)).toMatchObject({ result: "[]" });
    expect(await run("console.log.constructor('return typeof process')()")).toMatchObject({
      result: '"undefined"',
    });
    expect(await run("await import('node:fs')")).toMatchObject({ ok: false });
  });

  it("is not fooled by replaced built-ins", async () => {
    const code =
      "JSON.stringify = () => 'forged'; String.prototype.slice = () => 'forged'; " +
      "Array.prototype.map = null; ({real: true})";
    expect(await run(code)).toMatchObject({ ok: true, result: '{"real":true}' });
  });

  it("stops an endless loop at the deadline and keeps the log", async () => {
    expect(await run("console.log('before'); for (;;) {}", {}, 1500)).toMatchObject({
      ok: false,
      error: "The code did not finish within 1.5 seconds.",
      log: "before\n",
    });
  });

  it("stops endless promise jobs and regular expressions", async () => {
    expect(
      await run(
        "await new Promise(() => { const f = () => Promise.resolve().then(f); f(); })",
        {},
        1500,
      ),
    ).toMatchObject({
      ok: false,
    });
    expect(await run("/(a+)+$/.test('a'.repeat(40) + 'b')", {}, 1500)).toMatchObject({ ok: false });
    expect(await run("await new Promise(() => {})")).toMatchObject({
      ok: false,
      error: expect.stringContaining("never be settled"),
    });
  });

  it.each([
    [
      "typed arrays",
      "const a = []; for (;;) { const b = new Uint8Array(1 << 24); b.fill(1); a.push(b); }",
    ],
    ["one huge buffer", "new ArrayBuffer(2 ** 31 - 1).byteLength"],
    ["strings", "let s = 'x'; for (;;) s += s;"],
    ["arrays", "const a = []; for (;;) a.push({ a });"],
    ["recursion", "function f() { return f() + 1 } f()"],
    ["deep JSON", "let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; o"],
  ])("survives a bomb of %s", async (_, code) => {
    expect(await run(code)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/memory|stack|too long|length|finish/i),
    });
  });

  it("cuts huge output and huge logs", async () => {
    const big = await run("'x'.repeat(5_000_000)");
    expect(big).toMatchObject({ ok: true, cut: true });
    expect(big.ok && big.result.length).toBeLessThan(50_000);
    const logs = await run("for (let i = 0; i < 20000; i++) console.log('line ' + i); 1");
    expect(logs).toMatchObject({ ok: true, log: expect.stringMatching(/\[log cut\]$/) });
  });

  it("kills the process when the call is aborted", async () => {
    const controller = new AbortController();
    const outcome = runGuestCode({
      code: "for (;;) {}",
      files: {},
      accountId: "a",
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error("cancelled")), 200);
    // Not the deadline's error: the abort came first.
    await expect(outcome).rejects.toThrow("cancelled");
  });

  it("runs in a process after all others, and says how long it waited", async () => {
    const controller = new AbortController();
    const waited: boolean[] = [];
    const untimed = <T>(wait: Promise<T>) => {
      waited.push(true);
      return wait;
    };
    const outcome = runGuestCode({
      code: "for (;;) {}",
      files: {},
      accountId: "a",
      signal: controller.signal,
      untimed,
    });
    const priorities = () =>
      readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map((pid) => getPriority(Number(pid)));
    if (platform() === "linux") await expect.poll(priorities, { timeout: 20_000 }).toContain(10);
    expect(waited).toEqual([true]);
    controller.abort();
    await expect(outcome).rejects.toBe(controller.signal.reason);
  });

  it.each([
    ["a file of the service", "require('node:fs').readFileSync('package.json')"],
    ["a folder", "require('node:fs').readdirSync('/')"],
    ["writing", "require('node:fs').writeFileSync('/tmp/x', '')"],
    ["another process", "require('node:child_process').execFileSync(process.execPath, ['-v'])"],
    ["a thread", "new (require('node:worker_threads').Worker)('1', { eval: true })"],
  ])(
    "runs in a process that is denied %s, should guest code ever get that far",
    async (_, code) => {
      const ended = promisify(execFile)(process.execPath, [
        ...permissions(GUEST_READABLE),
        "-e",
        code,
      ]);
      await expect(ended).rejects.toMatchObject({
        stderr: expect.stringContaining("ERR_ACCESS_DENIED"),
      });
    },
  );
});

describe("files of the sandbox", () => {
  const stored: Record<string, Buffer> = {
    "a.txt": Buffer.from("häuser"),
    "b.bin": Buffer.from([0, 255, 10, 13]),
  };
  const withFiles = (code: string) =>
    runGuestCode({
      code,
      files: {},
      accountId: "a",
      signal: never,
      read: async (path) => {
        if (path === "locked") throw new GuestFailure("It is locked.");
        return stored[path] ?? null;
      },
    });

  it("are saved as texts, bytes and values, appended in pieces, the last of a name", async () => {
    const outcome = await withFiles(`
      save("old.txt", "first"); save("old.txt", "ä");
      save("part.bin", new Uint8Array([9, 1, 2, 9]).subarray(1, 3), {type: "application/x-part"});
      save("part.bin", new Uint8Array([0]).buffer, {append: true});
      save("rows.json", [{a: 1}]); save("empty.txt", "")`);
    expect(outcome).toMatchObject({ ok: true, result: "0" });
    const files = outcome.ok ? outcome.files : [];
    expect(files.map(({ path, bytes, mime }) => [path, [...bytes], mime])).toEqual([
      ["old.txt", [0xc3, 0xa4], undefined],
      ["part.bin", [1, 2, 0], "application/x-part"],
      ["rows.json", [...Buffer.from('[\n {\n  "a": 1\n }\n]')], undefined],
      ["empty.txt", [], undefined],
    ]);
  });

  it("are read when asked for, as text or bytes; a missing one is undefined", async () => {
    expect(
      await withFiles(
        `return [files["a.txt"], [...read("b.bin")], files["nothing"] === undefined]`,
      ),
    ).toMatchObject({ ok: true, result: '["häuser",[0,255,10,13],true]' });
    expect(await withFiles(`read("nothing")`)).toMatchObject({
      ok: false,
      error: expect.stringContaining("no such file"),
    });
    expect(
      await withFiles(`let said; try { files["locked"] } catch (e) { said = e.message } said`),
    ).toMatchObject({ ok: true, result: '"It is locked."' });
  });

  it("of 64 MiB in chunks pass through a guest that holds one, and more is refused", async () => {
    const outcome = await withFiles(`
      const chunk = new Uint8Array(1024 * 1024);
      for (let i = 0; i < 64; i += 1) save("big.bin", chunk, {append: true});
      let said; try { save("more.bin", "x") } catch (e) { said = e.message } said`);
    expect(outcome).toMatchObject({ ok: true, result: expect.stringContaining("at most") });
    expect(outcome.ok && outcome.files.map(({ bytes }) => bytes.length)).toEqual([
      64 * 1024 * 1024,
    ]);
  });

  it("are asked for no more after a call's bytes, its writers' too, or 10,000 times", async () => {
    const asked: number[] = [];
    const large = Buffer.alloc(GUEST_FILES_MAX_BYTES);
    const bounded = (code: string) =>
      runGuestCode({
        code: `${code}; let said; try { read("last") } catch (e) { said = e.message } return said`,
        files: {},
        accountId: "a",
        signal: never,
        read: async (path, _form, maxBytes) => {
          asked.push(maxBytes);
          if (path.startsWith("none")) return null;
          return path === "small" ? Buffer.from("small") : large;
        },
        make: async (_order, named) => {
          for (const each of ["one", "two"]) await named(each);
          return { bytes: Buffer.alloc(0), facts: {} };
        },
      });
    const full = { ok: true, result: JSON.stringify(`last is not read: ${READ_TOO_MUCH}`) };
    expect(await bounded(`for (let i = 0; i < 4; i += 1) read("large")`)).toMatchObject(full);
    expect(asked).toHaveLength(4);
    asked.length = 0;
    expect(
      await bounded(`read("small"); await write.zip("a.zip", []); read("large")`),
    ).toMatchObject(full);
    // The reader is told what is left, so that it refuses by a file's size.
    expect(asked).toEqual([...Array(4).fill(large.length), large.length - 5]);
    asked.length = 0;
    expect(await bounded(`for (let i = 0; i < 1e4; i += 1) files["none" + i]`)).toMatchObject({
      ok: true,
      result: '"One call reads at most 10000 times."',
    });
    expect(asked).toHaveLength(10_000);
  });

  it("of code that fails are none", async () => {
    expect(await withFiles(`save("a.txt", "x"); null.x`)).not.toHaveProperty("files");
  });
});

describe("files that the sandbox has made", () => {
  const made: unknown[] = [];
  const withMaker = (code: string) =>
    runGuestCode({
      code,
      files: {},
      accountId: "a",
      signal: never,
      read: () => Promise.resolve(null),
      make: async ({ maker, spec }, named) => {
        const asked: unknown = JSON.parse(Buffer.from(spec).toString());
        made.push([maker, asked]);
        if (asked === "bad") throw new GuestFailure("This cannot be made.");
        if (maker !== "zip") return { bytes: Buffer.from(`<${maker}>`), facts: { pages: 2 } };
        return { bytes: (await named("run:a.txt"))?.bytes ?? Buffer.alloc(0), facts: {} };
      },
    });

  it("are saved, told with facts, and made of data and saved files; a chart is text", async () => {
    made.length = 0;
    const outcome = await withMaker(`
      save("a.txt", "one"); save("a.txt", " two", {append: true});
      const facts = await write.pdf("run:b.pdf", {markdown: "x", at: new Date(0)});
      await write.zip("c.zip", ["a.txt"]);
      return {facts, svg: chart({type: "bar"}), read: [...read("b.pdf")].length, text: \
files["run:a.txt"]}`);
    expect(outcome.ok && JSON.parse(outcome.result)).toEqual({
      facts: { path: "run:b.pdf", size_bytes: 5, pages: 2 },
      svg: "<svg>",
      read: 5,
      text: "one two",
    });
    expect(made).toEqual([
      ["pdf", { markdown: "x", at: "1970-01-01T00:00:00.000Z" }],
      ["zip", ["a.txt"]],
      ["svg", { type: "bar" }],
    ]);
    const files = outcome.ok ? outcome.files : [];
    expect(files.map(({ path, bytes, facts }) => [path, String(bytes), facts])).toEqual([
      ["a.txt", "one two", undefined],
      ["run:b.pdf", "<pdf>", { pages: 2 }],
      ["c.zip", "one two", {}],
    ]);
  });

  it("are errors of the code where they cannot be made, catchable, awaited or not", async () => {
    expect(await withMaker(`write.xlsx("a.xlsx", "bad"); return 1`)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/This cannot be made.*line 1/),
    });
    expect(
      await withMaker(
        'let said; try { await write.xlsx("a.xlsx", "bad") } catch (e) { said = e.message } ' +
          "return said",
      ),
    ).toMatchObject({ ok: true, result: '"This cannot be made."', files: [] });
    expect(await withMaker(`write.xlsx({rows: []})`)).toMatchObject({
      ok: false,
      error: expect.stringContaining("takes a path"),
    });
    expect(await run(`write.csv("a.csv", [])`)).toMatchObject({
      error: expect.stringContaining("No files can be made here"),
    });
  });

  it("are a hundred a call at most, charts with them", async () => {
    const code =
      "let said, made = 0; try { for (;;) { chart({}); made += 1 } } catch (e) { said = " +
      "e.message } [made, said]";
    expect(await withMaker(code)).toMatchObject({ result: expect.stringMatching(/^\[100,"One/) });
  });
});
