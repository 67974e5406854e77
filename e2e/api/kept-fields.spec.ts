import { z } from "zod";
import { createAccount } from "../support/accounts";
import { ApiDocument, type DocumentedOperation } from "../support/api-document";
import { keptNote } from "../support/document/document-world";
import { expect, test } from "../support/test";

// Over every operation of the document that stores the fields of its body: a new one has to be
// added to BODIES, a new field of one to them or to the examples of the document.

const recordShape = z.record(z.string(), z.unknown());
const CONFIG = { version: 1, starters: ["Go"] };
const DASHBOARD = {
  version: 1,
  title: "Board",
  layout: [{ i: "a", x: 0, y: 0, w: 6, h: 2 }],
  widgets: { a: { type: "markdown", text: "x" } },
};

/** Bodies in the order in which they are sent; together they name each field of the operation. */
const BODIES: Record<string, Record<string, unknown>[]> = {
  createWorkspace: [{ name: "First", description: "One." }],
  updateWorkspace: [
    { name: "Second" },
    { description: "Two." },
    { description: null },
    { name: "Third", description: "Three." },
  ],
  updateAgent: [
    { name: "Second", description: "Two.", version: "2.0.0", release_note: "x" },
    { skill_content: "Say more.", write_autonomy: "blocked" },
    { config: CONFIG },
    { config_content: "version: 1\n# a comment\nstarters: [Stop]\n" },
    { dashboard_template: DASHBOARD },
    { description: null, dashboard_template: null },
  ],
  updateMemory: [{ text: "Likes charts." }],
  createSchedule: [
    {
      cron: "1 2 3 4 *",
      timezone: "Asia/Tokyo",
      input: { n: 1 },
      enabled: false,
      version: null,
      max_credits: 5,
      webhook_url: "https://hooks.unknown.invalid/one",
      on_budget: "wait",
      end_user: "person-1",
    },
  ],
  updateSchedule: [
    { cron: "2 3 4 5 *" },
    { timezone: "Europe/Paris", input: { n: 2 }, end_user: "person-2" },
    { max_credits: null, webhook_url: null, on_budget: null, version: null },
    { enabled: true },
  ],
  createSecret: [
    { name: "KEPT", value: "x", description: "One.", allowed_hosts: ["one.example.com"] },
    {
      name: "KEPT",
      value: "x",
      description: "Theirs.",
      allowed_hosts: ["their.example.com"],
      end_user: "person-1",
    },
  ],
  updateSecret: [
    { value: "y", description: "Two." },
    { value: "z", allowed_hosts: ["two.example.com"] },
    { value: "z", description: null },
    {
      value: "z",
      description: "Theirs too.",
      allowed_hosts: ["two.example.com"],
      end_user: "person-1",
    },
  ],
  createWebhookEndpoint: [
    {
      url: "https://hooks.unknown.invalid/one",
      events: ["schedule.failed"],
      description: "One.",
      enabled: false,
    },
  ],
  updateWebhookEndpoint: [
    { url: "https://hooks.unknown.invalid/two" },
    { events: ["run.failed", "run.completed"], description: "Two." },
    { enabled: true, description: null },
  ],
  putProductProfile: [
    {
      name: "Lathe",
      tagline: "Turns",
      description: "One.",
      audience: "All",
      tone: "Dry",
      instructions: "None.",
      brand: { colors: ["#102030"], logo_url: "https://example.com/logo.png" },
      links: ["https://example.com"],
    },
  ],
};
/** Taken, and never given back: a secret's value, and what goes to the version. */
const WRITE_ONLY = new Set(["value", "release_note"]);
/**
 * What starts or ends something, or takes a whole document, keeps no fields of a body as they are.
 */
const KEEPS_NO_FIELDS =
  /(Run|Edit|Approval|createAgent|duplicateAgent|importAgent|restoreAgentVersion|convertOpenapi|installSkill|ToolResults|Message|WebhookSecret|WebhookEndpointSecret|Skill|connectServer|createClientToken|AgentCase|EndUserLimits)$/;

test("what an operation takes, the next read gives back by field, and the rest stays", async ({
  serviceUrl,
  modelUrl,
}) => {
  const { api } = await createAccount(serviceUrl, { superAgent: true });
  const operations = (await ApiDocument.read(api)).operations;
  const keeping = operations.filter(
    ({ takesJson, auth, id }) => takesJson && auth === "account" && !KEEPS_NO_FIELDS.test(id),
  );
  expect(keeping.map(({ id }) => id).sort()).toEqual(Object.keys(BODIES).sort());
  const document = {
    raw:
      "kind: agent\nformat: 1\nname: N\nskill_content: S\nconfig:\n  version: 1\n  tools:\n" +
      "    memory: true\n",
    headers: { "content-type": "application/yaml" },
  };
  const { agent_id } = (await api.post("/v1/agents/import", undefined, document)).fitting(
    recordShape,
  );
  /** Ids by the names of places, as they are made. */
  const ids: Record<string, unknown> = {
    agent_id,
    memory_id: await keptNote(api, modelUrl, String(agent_id)),
  };
  const pathOf = ({ path }: Pick<DocumentedOperation, "path">) =>
    path.replace(/\{(\w+)\}/g, (_match, name: string) => String(ids[name]));
  for (const id of Object.keys(BODIES)) {
    const operation = keeping.find((each) => each.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    const bodies = [...(BODIES[id] ?? []), ...examplesBeyond(BODIES[id] ?? [], operation)];
    expect(new Set(bodies.flatMap(Object.keys)), `every field of ${id}`).toEqual(
      new Set(operation.bodyFields),
    );
    let kept: Record<string, unknown> = {};
    for (const body of bodies)
      await test.step(`${id} ${Object.keys(body)}`, async () => {
        const answer = await api.request(operation.method, pathOf(operation), { json: body });
        expect([id, answer.status < 300, answer.status < 300 ? "" : answer.text]).toEqual([
          id,
          true,
          "",
        ]);
        if (operation.method === "POST") Object.assign(ids, answer.fitting(recordShape));
        const given = Object.fromEntries(
          Object.entries(body).filter(([field]) => !WRITE_ONLY.has(field)),
        );
        // One text says the config, both ways of sending it.
        for (const other of ["config", "config_content"])
          if ("config" in given !== "config_content" in given) delete kept[other];
        kept = { ...kept, ...given };
        expect(answer.fitting(recordShape)).toMatchObject(withoutTexts(kept));
        expect(await readBack(operation, kept)).toMatchObject(kept);
      });
  }

  /** The thing as its own address gives it, or, where it has none, its list. */
  async function readBack(
    operation: DocumentedOperation,
    { end_user }: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const item = operations.find(
      ({ method, path }) => method === "GET" && path === operation.path && path.endsWith("}"),
    );
    const under = operations.find(
      ({ method, path }) =>
        method === "GET" &&
        path.startsWith(`${operation.path}/{`) &&
        path.split("/").length === operation.path.split("/").length + 1,
    );
    const single =
      operation.id === "putProductProfile"
        ? operation
        : (item ?? (operation.method === "POST" ? under : undefined));
    // One person's secret has the address of the account's of that name.
    const whose = operation.path.startsWith("/v1/secrets")
      ? { query: { end_user: end_user as string | undefined } }
      : {}; // as its own body had it
    if (single) return (await api.get(pathOf(single), whose)).fitting(recordShape);
    const collection = pathOf(operation).replace(/\/schedules\/.*/, "/schedules");
    const page = (await api.get(collection)).fitting(z.looseObject({ data: z.array(recordShape) }));
    return page.data[0] ?? {};
  }
});

/** The document's own examples that name a field which none of the bodies names. */
function examplesBeyond(
  bodies: Record<string, unknown>[],
  operation: DocumentedOperation,
): Record<string, unknown>[] {
  const named = new Set(bodies.flatMap(Object.keys));
  const examples = (operation.body?.content ?? []).flatMap(({ examples: shown }) =>
    shown.map(({ value }) => recordShape.parse(value)),
  );
  return examples.filter((example) => Object.keys(example).some((field) => !named.has(field)));
}

/** The answer to a change of an agent carries its metadata only. */
function withoutTexts(kept: Record<string, unknown>): Record<string, unknown> {
  const { config, config_content, skill_content, dashboard_template, ...rest } = kept;
  return rest;
}
