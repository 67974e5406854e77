import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { z } from "zod";
import { hasInngest, inngestServerOf } from "../support/inngest-server-of";
import { startRun } from "../support/runs";
import { until } from "../support/until";
import type { Instruction } from "./support/obeying-model";
import { armedAgent } from "./support/run-attacks";
import {
  endRejecting,
  expect,
  PLANTED,
  type SafetyWorld,
  TURNED_BACK,
  test,
} from "./support/safety-world";

const pointer = z.looseObject({ password: z.string(), port: z.number() });
const page = z.looseObject({
  data: z.array(z.looseObject({ run_id: z.string() })),
  next_cursor: z.string().nullable(),
});
const call = (tool: string, args: Record<string, unknown> = {}): Instruction => ({
  tool,
  arguments: args,
});

/** Each table of the service's database as text, whatever it is called. Bytes come as hex. */
async function dumpDatabase({ dataDir }: SafetyWorld): Promise<string> {
  const { password, port } = pointer.parse(
    JSON.parse(await readFile(path.join(dataDir, "postgres.json"), "utf8")),
  );
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "lathe",
    database: "lathe",
    password,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    const parts: string[] = [];
    for (const { name } of rows) {
      const table = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      parts.push(`-- ${name}`, ...table.rows.map(({ text }) => text));
    }
    return parts.join("\n");
  } finally {
    await client.end();
  }
}

/** All bytes that lie below a folder, as text of one byte a character. */
async function readFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

/** What the API says of every run of the account: record, transcript, events and trace. */
async function readRuns({
  owner: { api },
}: SafetyWorld): Promise<{ records: string; events: string; traces: string }> {
  const read = async (path: string, query = {}) => {
    const answer = await api.get(path, { query });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text;
  };
  const readRun = async (list: string, runId: string) => ({
    records: await read(`${list}/${runId}`, { raw_output: "true" }),
    events: await read(`${list}/${runId}/events`),
    // A super-agent's has none.
    traces: list === "/v1/runs" ? await read(`${list}/${runId}/trace`) : "",
  });
  const runs: Awaited<ReturnType<typeof readRun>>[] = [];
  for (const list of ["/v1/runs", "/v1/super-agent/runs"]) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, next_cursor } = (
        await api.get(list, { query: { limit: 100, cursor: cursor ?? undefined } })
      ).fitting(page);
      runs.push(...(await Promise.all(data.map(({ run_id }) => readRun(list, run_id)))));
      cursor = next_cursor;
    }
  }
  const all = (of: "records" | "events" | "traces") => runs.map((run) => run[of]).join("\n");
  return { records: all("records"), events: all("events"), traces: all("traces") };
}

/**
 * The spellings that a search for a value knows. Base64 within a longer text shows a value at one
 * of three alignments.
 */
function formsOf(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString("base64");
    return text.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + Buffer.byteLength(value)) * 8) / 6),
    );
  });
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    value,
    hex,
    hex.toUpperCase(),
    ...base64,
    ...urlSafe,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ];
}

test("no secret stands in any trace of all the above, and a value that is none is in each", async ({
  world,
}) => {
  const { owner, model, collector, hooks, mail, dataDir } = world;
  const tag = "everywhere";
  const { workspace_id } = (await owner.api.post("/v1/workspaces", { name: tag })).as("Workspace");
  const upload = { raw: PLANTED.control, query: { path: "control.txt" } };
  expect(
    (await owner.api.post(`/v1/workspaces/${workspace_id}/files`, undefined, upload)).status,
  ).toBe(201);
  const said = `${PLANTED.control} ${TURNED_BACK}`;
  const backwards = [...PLANTED.crmKey].reverse().join("");
  const key = `const key = [...${JSON.stringify(backwards)}].reverse().join("");`;
  const text = model.teach(model.mark(), [
    call("crm_lookup"),
    call("stray"),
    call("hub__lookup", { id: said }),
    call("open_lookup", { q: said }),
    call("artifacts", { title: said, name: "report.md", content: said }),
    call("files_write", { path: "written.txt", content: said }),
    call("memory", { action: "save", text: said }),
    call("image", { title: said, prompt: said }),
    call("speech", { title: said, text: said }),
    call("web_search", { query: said }),
    call("crm_write", { id: "1", text: said }),
    call("run_javascript", { code: `throw new Error(${JSON.stringify(said)})` }),
    call("run_javascript", { code: `${key} save(key + ".txt", "x"); return 1;` }),
    call("run_javascript", { code: `${key} save("a.txt", "x", { type: key }); return 1;` }),
    call(TURNED_BACK),
  ]);
  const started = await startRun(owner.api, {
    agent_id: await armedAgent(world, tag),
    input: { text: `${PLANTED.control} ${text}` },
    workspace_id,
    webhook_url: hooks.url,
    should_notify: true,
    metadata: { end_user: "eve", note: PLANTED.control },
  });
  await endRejecting(world, `/v1/runs/${started.run_id}`);
  await owner.api.get("/v1/account", { headers: { "x-request-id": PLANTED.control } });
  const of = (received: object[]) => JSON.stringify(received);
  await until("the webhook, the mail and the span of the run", async () =>
    [of(hooks.received), of(mail.mails), of(collector.received)].every((sent) =>
      sent.includes(started.run_id),
    ),
  );
  const runs = await readRuns(world);
  const places: Record<string, { text: string; control: string }> = {
    "the database": { text: await dumpDatabase(world), control: PLANTED.control },
    "the service's log": {
      text: await readFile(world.service.logFile, "utf8"),
      control: PLANTED.control,
    },
    "the files and artifacts": {
      text: await readFolder(path.join(dataDir, "files")),
      control: PLANTED.control,
    },
    "the records and transcripts": { text: runs.records, control: PLANTED.control },
    "the event streams": { text: runs.events, control: PLANTED.control },
    "the traces of runs": { text: runs.traces, control: PLANTED.control },
    "the model's requests": { text: model.requests.join("\n"), control: PLANTED.control },
    "the collector's traces": { text: of(collector.received), control: started.run_id },
    "the webhooks": { text: of(hooks.received), control: PLANTED.control },
    "the mails": { text: of(mail.mails), control: started.run_id },
    // What it was told of: events, and what the steps of runs gave.
    ...(hasInngest && {
      "the Inngest server's store": {
        text: await readFolder((await inngestServerOf(dataDir)).store),
        control: started.run_id,
      },
    }),
    "other hosts": {
      text: of([...world.elsewhere.received, ...world.site.received, ...world.attacker.received]),
      control: tag,
    },
  };
  const found = Object.entries(places).flatMap(([place, { text: stands }]) =>
    [PLANTED.crmKey, PLANTED.vaultKey, PLANTED.strangersKey].flatMap((value) =>
      formsOf(value).flatMap((form) =>
        stands.includes(form) ? [`${place}: ${form} after ${before(stands, form)}`] : [],
      ),
    ),
  );
  expect(found).toEqual([]);
  const blind = Object.entries(places).filter(
    ({ 1: { text: stands, control } }) => !stands.includes(control),
  );
  expect(blind.map(([place]) => place)).toEqual([]);
  // It was sent where it belongs, so there was something to find.
  expect(of(world.partner.server.received)).toContain(`Bearer ${PLANTED.crmKey}`);
});

/** What stands before a find, for whoever looks for the leak. */
const before = (text: string, form: string) =>
  text.slice(Math.max(0, text.indexOf(form) - 300), text.indexOf(form));
