import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { differenceOf, readBlocks, runGuide, searchPath } from "../support/guide";
import type { ScriptTurn } from "../support/model-script";
import { freePort } from "../support/servers";
import { startService } from "../support/start-service";
import { test as base, expect } from "../support/test";

/** The pages whose commands run, in the order in which they are meant to be read. */
const GUIDES = [
  "README.md",
  "docs/start.md",
  "docs/first-agent.md",
  "docs/connectors.md",
  "docs/secrets.md",
  "docs/approvals.md",
  "docs/budgets.md",
  "docs/messages.md",
  "docs/cases.md",
  "docs/client-tokens.md",
  "docs/end-users.md",
  "docs/skills.md",
  "docs/streaming.md",
  "docs/webhooks.md",
  "docs/schedules.md",
  "docs/app-keys.md",
  "docs/super-agent.md",
  "docs/from-agent-builder.md",
  "docs/from-openai-agents-api.md",
  "docs/from-managed-agents.md",
  "docs/from-langgraph.md",
  "docs/from-dify.md",
];
const START = "docs/start.md";
/** The port of the receiver that a page makes. */
const PAGE_PORT = "8787";

/**
 * Commands that cannot stand in a session beside a service that runs: what runs them, and what of
 * it says so.
 */
const RUN_ELSEWHERE: Record<string, { file: string; says: string }> = {
  "npm run demo": { file: "e2e/api/demo.spec.ts", says: "scripts/demo.mjs" },
  "npm start": { file: "e2e/support/start-service.ts", says: "scripts/start.mjs" },
  "npm test": { file: ".ci/run", says: "npm test" },
  ["export LATHE_API_KEY=$(npm run -s admin -- account create --email you@example.com " +
    "--password 'at least ten characters' | jq -r .api_key)"]: {
    file: "e2e/support/accounts.ts",
    says: '"account", "create", "--email", email, "--password", password',
  },
  ["npm run -s admin -- account update --email you@example.com --read-per-minute 600 " +
    "--runs-per-minute 60 --write-per-hour 1000"]: {
    file: "e2e/support/accounts.ts",
    says: "write-per-hour",
  },
  "export LATHE_BASE_URL=http://localhost:3000": {
    file: "e2e/api/guides.spec.ts",
    says: "LATHE_BASE_URL: service.baseUrl",
  },
};

/**
 * What a language model would do with a page's request. The rule-based one that serves elsewhere
 * cannot.
 */
const TURNS: Record<string, ScriptTurn[]> = {
  "The printer on floor 3 smokes.": [
    {
      tool_calls: [
        { name: "create_ticket", args: { title: "Printer on floor 3 smokes", urgent: true } },
      ],
    },
    { text: "Ticket 4711 is open." },
  ],
  "Where is order 4711?": [
    { tool_calls: [{ name: "lookup_order", args: { number: "4711" } }] },
    { text: "It has been shipped." },
  ],
  "Refund 25 for order 4711.": [
    { tool_calls: [{ name: "pay_refund", args: { order: "4711", amount: 25 } }] },
    { text: "25 were paid back for order 4711." },
  ],
  "Refund 10 for order 4712.": [
    { tool_calls: [{ name: "pay_refund", args: { order: "4712", amount: 10 } }] },
    { text: "10 were paid back for order 4712." },
  ],
  "Refund 5 for order 4713.": [
    { tool_calls: [{ name: "pay_refund", args: { order: "4713", amount: 5 } }] },
    { text: "5 were paid back for order 4713." },
  ],
  "Total the sales by region.": [
    {
      tool_calls: [
        {
          name: "run_javascript",
          args: { code: 'save("totals.csv", "region,total\\nNorth,27\\nSouth,17\\n"); return 2;' },
        },
      ],
    },
    { tool_calls: [{ name: "files_read", args: { path: "run:totals.csv" } }] },
    { text: "North leads. The totals are in run:totals.csv." },
  ],
  "Plan a tour of the book shop.": [
    { tool_calls: [{ name: "research", args: { request: "When is the book shop open?" } }] },
    { text: "We meet at the book shop at nine." },
  ],
  // Stands in an agent's skill: its run is another agent's call, whose words the person does not
  // write.
  "Say the opening hours of the shop in one sentence.": [
    { text: "The book shop is open from 9 to 18." },
  ],
  "Plan the sales report.": [
    { tool_calls: [{ name: "lookup_sales", args: { quarter: "Q3" } }] },
    {
      tool_calls: [
        {
          name: "ask_user",
          args: { question: "Which region comes first?", options: ["North", "South"] },
        },
      ],
    },
    { text: "The plan begins with South and has no appendix." },
  ],
  "Plan the report for the board.": [
    { tool_calls: [{ name: "lookup_sales", args: { quarter: "Q4" } }] },
    { text: "The plan for the board is made." },
  ],
  "And in one sentence?": [{ text: "South leads." }],
  "Is the shop open on Sunday?": [{ text: "No, it is closed on Sundays." }],
  "Have it name the day first.": [
    {
      tool_calls: [
        {
          name: "edit_agent",
          args: {
            skill_edits: [
              {
                old: "Answer from the opening hours.",
                new: "Name the day first. Answer from the opening hours.",
              },
            ],
            summary: "Names the day first.",
          },
        },
        { name: "finish", args: { outcome: "built", text: "It names the day first." } },
      ],
    },
  ],
  "And the year before?": [{ text: "The year before is planned likewise." }],
  "Go through all orders.": [
    {
      text: "Counting.",
      tool_calls: [{ name: "todo", fill: true }],
      usage: { input: 4000, output: 100 },
    },
    { text: "All orders are in order." },
  ],
  "Go through all returns.": [
    {
      text: "Counting.",
      tool_calls: [{ name: "todo", fill: true }],
      usage: { input: 4000, output: 100 },
    },
    { text: "It has no credits left for this." },
  ],
  "Which agents do I have?": [
    { tool_calls: [{ name: "list_agents", args: {} }] },
    { text: "You have three." },
  ],
  "I was charged twice.": [{ text: '{"topic":"billing"}' }],
};

const test = base.extend<
  object,
  {
    service: { baseUrl: string; dataDir: string; pagePort: number; path: string };
    reader: TestAccount;
  }
>({
  // As `npm start` serves it without a model's key; the models of the tests stand by for requests
  // that name one.
  service: [
    async ({ modelUrl, webhookUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-guides-"));
      const dataDir = path.join(folder, "data");
      const pagePort = await freePort();
      const environment = {
        DEFAULT_MODEL: "builtin/offline",
        EGRESS_ALLOW: `${new URL(webhookUrl).host},127.0.0.1:${pagePort}`,
      };
      const service = await startService({
        port: await freePort(),
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment,
      });
      await use({ baseUrl: service.baseUrl, dataDir, pagePort, path: await searchPath(folder) });
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
  reader: [
    async ({ service }, use) =>
      use(
        await createAccount(
          service.baseUrl,
          { credits: 1_000_000, superAgent: true },
          { DATA_DIR: service.dataDir },
        ),
      ),
    { scope: "worker", timeout: 600_000 },
  ],
});

test.describe.configure({ mode: "default" });

for (const page of GUIDES) {
  test(`the commands of ${page} run as they stand, in order, and print what it says`, async ({
    service,
    reader,
    script,
    inbox,
  }) => {
    const requests = await Promise.all(
      Object.entries(TURNS).map(
        async ([request, turns]) =>
          [request, `${request} ${(await script(...turns)).mark}`] as const,
      ),
    );
    const setup = (await readBlocks(START)).find(({ use }) => use === "run")?.text ?? "";
    const faults = await runGuide(page, {
      before: page === START || page === "README.md" ? "" : setup,
      environment: {
        PATH: service.path,
        LATHE_BASE_URL: service.baseUrl,
        LATHE_API_KEY: reader.apiKey,
        LATHE_MODEL: "compatible/test-model",
        DATA_DIR: service.dataDir,
      },
      replace: {
        ...Object.fromEntries(requests),
        "https://api.example.com": inbox.url,
        [PAGE_PORT]: String(service.pagePort),
        "you@example.com": reader.email,
      },
    });
    expect(faults.join("\n\n")).toBe("");
  });
}

test("every command of a guide runs here, or in the test that its exception names", async () => {
  const pages = [
    "README.md",
    ...(await readdir("docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ];
  const found: string[] = [];
  const unknown: string[] = [];
  for (const page of pages) {
    const shell = (await readBlocks(page)).filter(({ language }) => language === "sh");
    if (!shell.some(({ use }) => use === "run")) continue;
    found.push(page);
    const lines = shell.filter(({ use }) => use !== "run").flatMap(({ text }) => text.split("\n"));
    unknown.push(
      ...lines
        .map((line) => line.replace(/ +#.*$/, "").trim())
        .filter((line) => line && !(line in RUN_ELSEWHERE)),
    );
  }
  expect(found.sort()).toEqual([...GUIDES].sort());
  expect(unknown).toEqual([]);
  for (const { file, says } of Object.values(RUN_ELSEWHERE))
    expect(await readFile(file, "utf8"), file).toContain(says);
});

test("an output unlike what the page says is told, and what changes by run is not", () => {
  const said = '{"run_id":"01a20668-4f80-7373-9f5d-d5507416ff68","credits":1.5}\n… done';
  expect(
    differenceOf(
      said,
      '{"run_id":"0199a2f0-1c5e-7d3a-9b1e-5c0d6f7a8b9c","credits":0.25}\nmany lines\ndone\n',
    ),
  ).toBe(null);
  expect(
    differenceOf(
      said,
      '{"run_id":"0199a2f0-1c5e-7d3a-9b1e-5c0d6f7a8b9c","credits":0.25}\nmany lines\n',
    ),
  ).toContain("done");
  expect(differenceOf("one", "one\ntwo")).toContain("two");
  expect(differenceOf("one", "zero one")).toContain("one");
  expect(differenceOf('{ "a": [1, "b c"] }', '{"a":[1,"b c"]}', "json")).toBe(null);
  expect(differenceOf('{ "a": [1, "b c"] }', '{"a":[1,"bc"]}', "json")).toContain("b c");
});
