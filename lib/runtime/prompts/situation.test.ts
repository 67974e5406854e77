import { expect, test } from "vitest";
import {
  knownOf,
  type Situation,
  tellChanges,
  tellSituation,
} from "@/lib/runtime/prompts/situation";

const tool = (name: string, description = "Does it.") => ({
  type: "function" as const,
  name,
  description,
  inputSchema: { type: "object" as const, properties: {} },
});
const AT = new Date("2026-01-05T22:30:00Z");
const situation = (more: Partial<Situation> = {}): Situation => ({
  now: AT,
  zone: "UTC",
  tools: [tool("files_search"), tool("files_read")],
  ...more,
});
/** What is told of a change, once the first was told. */
const changes = (before: Partial<Situation>, now: Partial<Situation>) =>
  tellChanges(
    JSON.parse(JSON.stringify(knownOf(situation(before)))),
    situation({ now: new Date(AT.getTime() + 60_000), ...now }),
  );

test("the whole situation has the zone's day and time, workspace, connectors and notes", () => {
  const text = tellSituation(
    situation({
      zone: "Europe/Berlin",
      workspace: { name: "Sales", fileCount: 2 },
      unavailable: [{ name: "hub", reason: "it does not answer" }],
      notes: [{ id: "m1", text: "Likes tables." }],
    }),
  );
  expect(text).toContain("It is Monday, 2026-01-05, 23:30 (Europe/Berlin).");
  expect(text).toContain('"Sales" with 2 files. List them with files_search.');
  expect(text).toContain("- hub: it does not answer");
  expect(text).toContain("- [m1] Likes tables.");
  expect(tellSituation(situation())).not.toContain("<workspace>");
});

test("nothing is told while nothing changes", () => {
  const same = {
    workspace: { name: "Sales", fileCount: 2 },
    notes: [{ id: "m1", text: "Likes tables." }],
    unavailable: [{ name: "hub", reason: "away" }],
    skills: [{ name: "csv", description: "Reads CSV." }],
  };
  expect(changes(same, same)).toEqual([]);
});

const CHANGES: [what: string, before: Partial<Situation>, now: Partial<Situation>, told: string][] =
  [
    [
      "files",
      { workspace: { name: "w", fileCount: 1 } },
      { workspace: { name: "w", fileCount: 2 } },
      "The workspace has 2 files now.",
    ],
    ["the day", {}, { now: new Date("2026-01-06T00:10:00Z") }, "It is Tuesday, 2026-01-06, 00:10"],
    ["an hour", {}, { now: new Date("2026-01-05T23:30:00Z") }, "It is Monday, 2026-01-05, 23:30"],
    [
      "a connector that is away",
      {},
      { unavailable: [{ name: "hub", reason: "away" }] },
      "The connector hub cannot be used any more: away.",
    ],
    [
      "a connector that is back",
      { unavailable: [{ name: "hub", reason: "away" }] },
      {},
      "The connector hub can be used again.",
    ],
    ["a tool that is gone", {}, { tools: [tool("files_read")] }, "These tools are gone"],
    [
      "a new tool",
      {},
      { tools: [tool("files_search"), tool("files_read"), tool("later")] },
      "There are new tools since this run began, which a later run will have: later.",
    ],
    [
      "a tool that has changed",
      {},
      { tools: [tool("files_search"), tool("files_read", "Does otherwise.")] },
      "The tool files_read has changed: Does otherwise.",
    ],
    [
      "notes",
      {
        notes: [
          { id: "a", text: "one" },
          { id: "b", text: "two" },
        ],
      },
      { notes: [{ id: "a", text: "uno" }] },
      "Your notes have changed:\n- [a] uno\n- [b] is deleted",
    ],
    [
      "skills",
      { skills: [{ name: "old", description: "Old." }] },
      { skills: [{ name: "new", description: "New." }] },
      "There are skills that were not there before:\n- new: New.",
    ],
    [
      "the agent that is edited",
      { edited: { version: "1", text: "{}" } },
      { edited: { version: "2", text: '{"name": "Two"}' } },
      '{"name": "Two"}',
    ],
  ];

test.each(CHANGES)("%s: only what is otherwise is told", (_, before, now, told) => {
  const lines = changes(before, now);
  expect(lines.join("\n")).toContain(told);
  expect(lines.join("\n")).not.toContain("<workspace>");
});
