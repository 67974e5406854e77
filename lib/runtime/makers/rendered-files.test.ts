import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIBRE_OFFICE, NO_LIBRE_OFFICE, openInLibreOffice } from "@/e2e/support/libre-office";
import { readPng } from "@/e2e/support/picture";
import { readDocument, textWithPlaces } from "@/lib/runtime/documents/read-document";
import { FileMaker, type ReadNamed } from "@/lib/runtime/makers/file-maker";
import type { GuestOrder } from "@/lib/runtime/sandbox/run-guest-code";

// A template of each format, opened by another program than ours and looked at as a picture.

const signal = new AbortController().signal;
const [BLUE, ORANGE, INK] = ["#2563eb", "#f59e0b", "#1f3a5f"];
const ROWS = [
  { month: "Jan", sales: 120, cost: 80.5 },
  { month: "Feb", sales: 150.25, cost: 95 },
  { month: "Mar", sales: 90, cost: 110 },
];
const CHART = { type: "bar", x: "month", y: ["sales", "cost"], title: "Sales & cost" };
const DRAWN = { chart: { ...CHART, data: ROWS } };
const MARKDOWN =
  "# Report\n\nSales **grew**, see [the source](https://example.com/a).\n\n- one\n- two\n\n" +
  "| Month | Sales |\n|---|--:|\n| Jan | 120 |\n\n> quoted";

const TEMPLATES = {
  "book.xlsx": { sheets: { Summary: { rows: ROWS, chart: CHART }, Data: ROWS } },
  "text.docx": { title: "Quarter", content: [MARKDOWN, DRAWN, { table: ROWS }] },
  "slides.pptx": {
    slides: [
      { title: "Figures", content: [DRAWN] },
      { title: "Words", content: MARKDOWN.slice(0, 74), notes: "Say it." },
    ],
  },
  "report.pdf": { title: "Quarter", max_pages: 1, content: [MARKDOWN, DRAWN, { table: ROWS }] },
  "rows.csv": ROWS,
  "drawn.svg": { ...CHART, data: ROWS },
  "drawn.png": { ...CHART, data: ROWS },
} as const;

const made = new Map<string, Uint8Array>();
const maker = new FileMaker(signal);

/** @param name whose ending names the maker */
async function make(name: string, spec: unknown, read: ReadNamed = () => Promise.resolve(null)) {
  const type = name.slice(name.indexOf(".") + 1) as GuestOrder["maker"]; // as the names here are
  const order = { maker: type, spec: Buffer.from(JSON.stringify(spec)) };
  made.set(name, (await maker.make(order, read)).bytes);
}

beforeAll(async () => {
  for (const [name, spec] of Object.entries(TEMPLATES)) await make(name, spec);
});
afterAll(() => maker.end());

const bytesOf = (name: string, from: ReadonlyMap<string, Uint8Array> = made) =>
  from.get(name) ?? new Uint8Array();

async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const options = { addresses: true, maxCharacters: 100_000, accountId: "a", signal };
  const content = await readDocument({ bytes, type: "pdf", ...options });
  if (!content.ok) throw new Error(content.problem);
  return textWithPlaces(content.sections);
}

it("a chart as PNG is a whole picture: its bars coloured on white, nothing cut off", () => {
  const picture = readPng(bytesOf("drawn.png"));
  expect([picture.width, picture.height]).toEqual([1920, 1080]);
  // Three bars each, of which the tallest take some two thirds of the height.
  for (const colour of [BLUE, ORANGE]) {
    expect(picture.shareOf(colour)).toBeGreaterThan(0.1);
    expect(picture.shareOf(colour)).toBeLessThan(0.25);
  }
  expect(picture.shareOf("#ffffff")).toBeGreaterThan(0.5);
  expect(picture.hasWhiteEdge()).toBe(true);
});

it("a picture of a chart that a document holds is the one that was drawn", async () => {
  const read: ReadNamed = (path) => Promise.resolve(made.get(path) ?? null);
  const content = [{ image: "drawn.png" }];
  await make("held.docx", { content }, read);
  const media = Object.entries(unzipSync(bytesOf("held.docx"))).filter(([name]) =>
    name.startsWith("word/media/"),
  );
  expect(media.map(([, bytes]) => readPng(bytes).shareOf(BLUE))).toEqual([
    readPng(bytesOf("drawn.png")).shareOf(BLUE),
  ]);
});

it("a zip holds the files as they were made", async () => {
  const read: ReadNamed = (path) => Promise.resolve(made.get(path) ?? null);
  await make("all.zip", [...Object.keys(TEMPLATES)], read);
  const entries = unzipSync(bytesOf("all.zip"));
  expect(Object.keys(entries)).toEqual(Object.keys(TEMPLATES));
  expect(strFromU8(entries["rows.csv"] ?? new Uint8Array())).toContain("Feb,150.25,95");
  expect(entries["report.pdf"]).toEqual(new Uint8Array(bytesOf("report.pdf")));
});

if (LIBRE_OFFICE === null) console.warn(NO_LIBRE_OFFICE);
describe.skipIf(LIBRE_OFFICE === null)("opened in LibreOffice's readers", () => {
  const pages = new Map<string, string>();
  const pictures = new Map<string, Uint8Array>();
  beforeAll(async () => {
    const templates = new Map(Object.keys(TEMPLATES).map((name) => [name, bytesOf(name)]));
    const opened = await openInLibreOffice(templates, "pdf");
    for (const [name, pdf] of opened) pages.set(name, await textOfPdf(pdf));
    for (const [name, png] of await openInLibreOffice(templates, "png")) pictures.set(name, png);
  });

  it.each([
    ["book.xlsx", ["month", "Feb", "150.25", "Sales & cost"]],
    ["text.docx", ["Quarter", "Report", "the source", "two", "quoted", "Sales & cost", "110"]],
    ["slides.pptx", ["Figures", "Sales & cost", "Words", "grew"]],
    ["report.pdf", ["Quarter", "Report", "the source", "two", "quoted", "110"]],
    ["rows.csv", ["month", "150.25"]],
  ])("%s has its words", (name, words) => {
    for (const word of words) expect(pages.get(name)).toContain(word);
  });

  it.each([
    // A page for each sheet.
    ["book.xlsx", 2],
    ["text.docx", 1],
    ["slides.pptx", 2],
    ["report.pdf", 1],
  ])("%s fills as many pages as it has: %i", (name, count) => {
    expect(pages.get(name)?.match(/\[page \d+\]/g)).toHaveLength(count);
  });

  it.each([
    ["book.xlsx", 0.01],
    ["text.docx", 0.02],
    ["slides.pptx", 0.08],
    ["report.pdf", 0.02],
    ["drawn.svg", 0.1],
  ])("%s shows its chart: all bars of both colours, none cut at the page's edge", (name, least) => {
    const picture = readPng(bytesOf(name, pictures));
    const [sales, cost] = [picture.shareOf(BLUE ?? ""), picture.shareOf(ORANGE ?? "")];
    expect(sales).toBeGreaterThan(least);
    // The bars' areas are as the sums of their columns: 360.25 and 285.5.
    expect(sales / cost).toBeGreaterThan(1.15);
    expect(sales / cost).toBeLessThan(1.4);
    expect(picture.hasWhiteEdge()).toBe(true);
  });

  it.each(["book.xlsx", "text.docx", "report.pdf"])("%s shows the head of its table", (name) => {
    expect(readPng(bytesOf(name, pictures)).shareOf(INK ?? "")).toBeGreaterThan(0.002);
  });
});
