import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";
import { exportAgent } from "@/lib/domain/agents/export-agent";
import { importAgent } from "@/lib/domain/agents/import-agent";
import { addCase, deleteCase, listCases } from "@/lib/domain/datasets/agent-cases";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { CASES_MAX, type NewCase, newCaseSchema } from "@/lib/model/evaluation/cases";

let database: DomainDatabase;
let owner: Principal;
let agent: AgentRecord;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
  agent = await newAgent(owner);
});
afterAll(() => database.close());

const CASES: NewCase[] = [
  {
    name: 'Zoë: "1.0"',
    input: { request: "Where is 1024?", deep: [{ a: [1, null, true, "- x"] }] },
    answers: { get_order: [{ id: 1024 }, "no"] },
    files: { "in/a.csv": "a;b\n1;2\n", "b.txt": " lead\n\n# no comment\ntrail " },
    checks: [
      { type: "contains", value: "1024" },
      { type: "json_path", path: "/items/0", value: null },
      { type: "schema", schema: { type: "object" } },
    ],
  },
  newCaseSchema.parse({ name: "Another", input: {}, checks: [{ type: "equals", value: 1 }] }),
];

const casesOf = async (principal: Principal, { id }: AgentRecord) =>
  (await listCases(principal.accountId, id)).map(({ name, input, answers, files, checks }) => ({
    ...{ name, input, answers, files, checks },
  }));

async function withCases(cases: readonly NewCase[]): Promise<void> {
  for (const each of cases) await addCase(owner, agent.id, each);
}

test("an agent's cases are in its document, and imported as they are, in order", async () => {
  await withCases(CASES);
  const { text } = await exportAgent(owner, agent.id);
  const stranger = await database.account();
  const made = await importAgent(stranger, text);
  expect(await casesOf(stranger, made)).toEqual(CASES);
  expect((await exportAgent(stranger, made.id)).text).toBe(text);
  expect(await casesOf(owner, agent)).toEqual(CASES);
});

test("an agent without cases has a document without a word of them", async () => {
  expect((await exportAgent(owner, agent.id)).text).not.toContain("cases");
});

test("a copy has its original's cases, if archived too, and each then its own", async () => {
  await withCases(CASES);
  await archiveAgent(owner, agent.id);
  const copy = await duplicateAgent(owner, agent.id);
  expect(await casesOf(owner, copy)).toEqual(CASES);
  const [first] = await listCases(owner.accountId, copy.id);
  await deleteCase(owner, copy.id, String(first?.id));
  expect(await casesOf(owner, agent)).toEqual(CASES);
  expect(await casesOf(owner, await duplicateAgent(owner, copy.id))).toEqual(CASES.slice(1));
});

test("a document names the cases too many for an import, and has the others", async () => {
  const filler = (name: string): NewCase => ({
    ...{ name, input: {}, answers: {}, checks: [{ type: "contains", value: "x" }] },
    // Lines cost most in YAML, and cases may have 400,000 characters.
    files: Object.fromEntries(["a", "b", "c"].map((path) => [path, "ü\n".repeat(33_000)])),
  });
  const names = Array.from({ length: CASES_MAX }, (_, index) => `Case ${index}`);
  await withCases(names.map(filler));
  const { text } = await exportAgent(owner, agent.id);
  const kept = (await casesOf(owner, await importAgent(owner, text))).map(({ name }) => name);
  expect(kept.length).toBeGreaterThan(4);
  expect(kept).toEqual(names.slice(0, kept.length));
  const note = text.split("\n").findLast((line) => line.startsWith("# "));
  for (const name of names) expect(note?.includes(`"${name}"`)).toBe(!kept.includes(name));
});

test.each([
  [
    "too many",
    `cases: [${Array.from({ length: 13 }, (_, at) => one(`C${at}`)).join(", ")}]`,
    "cases",
  ],
  ["two of one name", `cases: [${one("A")}, ${one("A")}]`, "cases"],
  [
    "a check that there is none of",
    "cases: [{name: A, input: {}, checks: [{type: nice}]}]",
    "cases.0.checks.0.type",
  ],
  [
    "a key that is not known",
    "cases: [{name: A, input: {}, checks: [{type: equals, value: 1}], id: 1}]",
    "cases.0.id",
  ],
])(
  "a document whose cases are %s is refused with its place, and stores nothing",
  async (_what, more, path) => {
    await expect(newAgent(owner, `${more}\n`)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(`${path}: line 5`),
    });
  },
);

function one(name: string): string {
  return `{name: ${name}, input: {}, checks: [{type: contains, value: x}]}`;
}
