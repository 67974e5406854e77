import { expect, test } from "vitest";
import { Transcript } from "@/lib/domain/execution/run/transcript";
import { citationsIn } from "@/lib/domain/execution/turn/cite-sources";

const PAGE = "https://example.com/releases";

/** What a run has read: pages that a search has found, one that it has fetched, and a file. */
function transcript(): Transcript {
  const calls = [
    ["web_search", { query: "release" }, { results: [{ url: `${PAGE}/`, title: "Releases" }] }],
    ["web_fetch", { url: "https://e.org/a" }, { url: "https://e.org/a?b=1#c", title: "A" }],
    ["files_read", { path: "data/sales.csv" }, { path: "data/sales.csv", text: "…" }],
    ["files_read", { path: "notes.md" }, { error: "There is none." }],
  ] as const;
  const turn = {
    ...{ turn: 0, messageId: "m", model: "v/m", finishReason: "tool-calls", agentVersionId: null },
    content: calls.map(([toolName, input], index) => ({
      ...{ type: "tool-call" as const, toolCallId: `c${index}`, toolName, input },
    })),
  };
  const results = calls.map(([name, , output], index) => ({
    ...{ toolCallId: `c${index}`, name, output },
    succeeded: !("error" in output),
  }));
  return new Transcript([turn], results);
}

const cited = (text: string) => {
  const citations = citationsIn(text, transcript());
  for (const { text: statement, location } of citations)
    expect(text.slice(location.start, location.end)).toBe(statement);
  return citations.map(({ text: statement, source }) => [
    statement,
    source.type === "web" ? source.url : source.path,
  ]);
};

test.each([
  [`It came out. 2.1 is [new](${PAGE}) now. More.`, `2.1 is [new](${PAGE}) now.`, `${PAGE}/`],
  [`- 2.1 is new (${PAGE}#top).\n- And so on.`, `- 2.1 is new (${PAGE}#top).`, `${PAGE}/`],
  [`2.1 is new. [Releases](${PAGE}/)`, `2.1 is new. [Releases](${PAGE}/)`, `${PAGE}/`],
  ["See https://e.org/a?b=1.", "See https://e.org/a?b=1.", "https://e.org/a?b=1#c"],
  ["As data/sales.csv says, 12.", "As data/sales.csv says, 12.", "data/sales.csv"],
  ["Twelve (`data/sales.csv`). Good.", "Twelve (`data/sales.csv`).", "data/sales.csv"],
  ["売上は12。（data/sales.csv）", "売上は12。（data/sales.csv）", "data/sales.csv"],
])(
  "a source that the run has read is cited with the statement that names it: %s",
  (text, statement, source) => {
    expect(cited(text)).toEqual([[statement, source]]);
  },
);

test.each([
  "https://example.com/releases2 and https://example.com/releases/old",
  "https://example.com is the site",
  "https://made-up.example.com/releases",
  "data/sales.csv.bak, old-data/sales.csv and notes.md",
])("what was not read is not: %s", (text) => {
  expect(cited(text)).toEqual([]);
});

test("several stand in the text's order, at most a hundred, a long line cut", () => {
  const text = `data/sales.csv and ${PAGE}.`;
  expect(cited(text).map(([, source]) => source)).toEqual(["data/sales.csv", `${PAGE}/`]);
  const many = citationsIn(`${"data/sales.csv ".repeat(5_000)}`, transcript());
  expect(many).toHaveLength(100);
  const [one] = citationsIn(`${"word ".repeat(2_000)}data/sales.csv`, transcript());
  expect(one?.text.length).toBeLessThanOrEqual(500);
  expect(one?.text).toContain("data/sales.csv");
});
