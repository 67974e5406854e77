import { randomBytes } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import type { LoggedEvent, Run } from "@/lib/client/schemas";
import type { AccountOptions, TestAccount } from "./accounts";
import { parseServed } from "./api-document";
import {
  type ClientDriver,
  ClientFault,
  type DrivenClient,
  type OpenOptions,
} from "./client-driver";
import type { ModelScript, ScriptTurn } from "./model-script";
import type { CuttingProxy } from "./proxies";
import { expectWholeLog, lastMessageText } from "./run-log";
import { readWebhookSecret } from "./sessions";
import { expect } from "./test";
import type { WebhookInbox } from "./webhook-inbox";

/** What a case has: the implementation under test, and the world around it. */
export interface CaseWorld {
  driver: ClientDriver;
  /** The client of `account`. */
  client: DrivenClient;
  account: TestAccount;
  newAccount(options?: AccountOptions): Promise<TestAccount>;
  open(account: TestAccount): Promise<DrivenClient>;
  /**
   * The client of an account behind a proxy that breaks its connections after so many bytes each.
   */
  behindCuts(
    account: TestAccount,
    budgets: number[],
    options?: Partial<OpenOptions>,
  ): Promise<{ client: DrivenClient; proxy: CuttingProxy }>;
  /** The same behind one that answers its first connections so in the service's place. */
  behindRefusals(account: TestAccount, answers: string[]): Promise<DrivenClient>;
  script(...turns: ScriptTurn[]): Promise<ModelScript>;
  inbox: WebhookInbox;
  request: APIRequestContext;
}

const ANSWER =
  "Grüße an 🌍 und 日本: an answer in many small pieces, of which each is an event of its own.";

async function all<T>(rows: AsyncIterable<unknown>): Promise<T[]> {
  const found: T[] = [];
  // What the API answers is held to its document below.
  for await (const row of rows) found.push(row as T);
  return found;
}

async function run(
  client: DrivenClient,
  name: string,
  args: unknown[],
  options: Record<string, unknown> = {},
): Promise<Run> {
  return (await client.call(name, args, options)) as Run; // as the document says
}

async function faultOf(acting: Promise<unknown>): Promise<ClientFault["described"]> {
  const error = await acting.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientFault) return error.described;
  throw new Error(`The client did not refuse by an error of its own: ${error}`);
}

async function events(
  account: TestAccount,
  stream: AsyncIterable<unknown>,
): Promise<LoggedEvent[]> {
  const lines = await Promise.all(
    (await all(stream)).map((event) => parseServed(account.api, "RunEvent", event)),
  );
  return lines as LoggedEvent[]; // a client gives neither pings nor broken ends
}

/**
 * What every client of the API is held to, whatever its language: by these names in
 * `client.spec.ts` and in `python-client.spec.ts`.
 */
export const CLIENT_CASES: Record<string, (world: CaseWorld) => Promise<void>> = {
  "from a sentence to a streamed run: the agent is made, read and run, as the stream tells it":
    async ({ client, account, script }) => {
      const args = {
        name: "Greeter",
        description: "Greets.",
        skill_content: "# Greeter\n\nGreet.",
        config: { version: 1 },
        write_autonomy: "full_auto",
      };
      const build = await script(
        { tool_calls: [{ name: "$only", args, fill: true }] },
        { text: "Ready." },
      );
      const creation = await run(client, "agents.create", [
        { input: `An agent that greets. ${build.mark}` },
      ]);
      const agentId = await client.call("agents.waitForAgent", [creation.run_id], {
        timeoutMs: 60_000,
      });
      expect(await client.call("agents.get", [agentId])).toMatchObject({
        name: "Greeter",
        status: "active",
      });
      const one = await script({ text: ANSWER });
      const lines = await events(
        account,
        client.iterate("runs.stream", [{ agent_id: agentId, input: { text: one.mark } }]),
      );
      expect(expectWholeLog(lines)).toMatchObject({
        type: "run.completed",
        result: { text: ANSWER },
      });
      const ended = await run(client, "runs.wait", [lines[0]?.run_id]);
      expect(ended).toMatchObject({
        status: "completed",
        agent_id: agentId,
        result: { text: ANSWER },
      });
      expect(
        await all(client.iterate("runs.events", [ended.run_id], { startingAfter: 2 })),
      ).toEqual(lines.slice(3));
    },

  "a stream whose connection breaks again and again is whole": async ({
    account,
    behindCuts,
    script,
  }) => {
    const text = ANSWER.repeat(5);
    const one = await script({ text, chunk_size: 3, chunk_delay_ms: 10 });
    // Headers take some hundred bytes, so that some of these end within them and some within a
    // line.
    const { client, proxy } = await behindCuts(account, [1600, 200, 1500, 1801, 1902, 2503]);
    const lines = await events(
      account,
      client.iterate("runs.stream", [{ input: { text: one.mark } }]),
    );
    expect(proxy.connections()).toBeGreaterThan(6);
    expect(expectWholeLog(lines)).toMatchObject({ result: { text } });
    expect(lastMessageText(lines)).toBe(text);
    expect(await one.calls()).toHaveLength(1);
  },

  "a start whose answer was lost is found again, not made twice": async ({
    newAccount,
    behindCuts,
    script,
  }) => {
    const account = await newAccount();
    const one = await script({ text: "once" });
    const { client, proxy } = await behindCuts(account, [10, 200]);
    const started = await run(client, "runs.create", [{ input: { text: one.mark } }]);
    expect(await run(client, "runs.wait", [started.run_id])).toMatchObject({ status: "completed" });
    expect(proxy.connections()).toBeGreaterThan(2);
    expect((await all<Run>(account.client.list("/v1/runs"))).map(({ run_id }) => run_id)).toEqual([
      started.run_id,
    ]);
  },

  "one call starts a run, waits and gives its answer; a failed run is an error with its code":
    async ({ client, script }) => {
      const good = await script({ text: ANSWER });
      expect(
        await run(client, "runs.createAndWait", [{ input: { text: good.mark } }], {
          timeoutMs: 60_000,
        }),
      ).toMatchObject({
        status: "completed",
        result: { text: ANSWER },
      });
      const bad = await script({ status: 400, error_message: "no such thing" });
      const fault = await faultOf(
        client.call("runs.createAndWait", [{ input: { text: bad.mark } }]),
      );
      expect(fault).toMatchObject({ name: "LatheRunError", code: "EXECUTION_FAILED" });
    },

  "a start with a key of one's own is the same run from anywhere": async ({ client, script }) => {
    const one = await script({ text: "ok" });
    const key = `order-${randomBytes(8).toString("hex")}`;
    const body = { input: { text: one.mark }, metadata: { order: "42" } };
    const first = await run(client, "runs.create", [body], { idempotencyKey: key });
    expect((await run(client, "runs.create", [body], { idempotencyKey: key })).run_id).toBe(
      first.run_id,
    );
    expect((await run(client, "runs.create", [body])).run_id).not.toBe(first.run_id);
  },

  "a webhook is verified with the account's secret, and a changed one is not": async ({
    driver,
    account,
    client,
    inbox,
    request,
    script,
  }) => {
    const secret = await readWebhookSecret(request, account);
    const one = await script({ text: "news" });
    const started = await run(client, "runs.create", [
      { input: { text: one.mark }, webhook_url: inbox.url },
    ]);
    const [call] = await inbox.waitFor(1);
    const { body: payload = "", headers = {} } = call ?? {};
    expect(await driver.verifyWebhook({ payload, headers, secret })).toEqual({
      runId: started.run_id,
      status: "completed",
      threadId: started.conversation_id,
      conversationId: started.conversation_id,
      result: expect.objectContaining({ text: "news" }),
    });
    const changed = driver.verifyWebhook({
      payload: payload.replace("news", "lies"),
      headers,
      secret,
    });
    expect(await faultOf(changed)).toMatchObject({
      name: "LatheWebhookError",
      fault: "bad_signature",
    });
  },

  "all rows of a list come, page after page, while more are added": async ({
    newAccount,
    open,
    script,
  }) => {
    const client = await open(await newAccount());
    const one = await script({ text: "ok" });
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1)
      made.unshift((await run(client, "runs.create", [{ input: { text: one.mark } }])).run_id);
    const found: string[] = [];
    for await (const row of client.iterate("runs.list", [], { limit: 2 })) {
      found.push((row as Run).run_id); // as the document says
      if (found.length === 3) await run(client, "runs.create", [{ input: { text: one.mark } }]);
    }
    expect(found).toEqual(made);
  },

  "a file goes up and comes down as the bytes that it is": async ({ client }) => {
    const { workspace_id } = (await client.call("workspaces.create", [{ name: "client" }])) as {
      workspace_id: string;
    }; // as the document says
    const bytes = new Uint8Array(randomBytes(300_000));
    const file = await client.call("files.upload", [workspace_id, "data/ü.bin", bytes]);
    expect(file).toMatchObject({ path: "data/ü.bin", size_bytes: bytes.length });
    const { file_id } = file as { file_id: string }; // as the document says
    expect(
      Buffer.from(
        (await client.call("files.download", [workspace_id, file_id])) as Uint8Array,
      ).equals(bytes),
    ).toBe(true);
    expect(
      (
        await all<{ file_id: string }>(
          client.iterate("files.list", [workspace_id], { prefix: "data/" }),
        )
      ).map((row) => row.file_id),
    ).toEqual([file_id]);
    expect((await client.call("files.delete", [workspace_id, file_id])) ?? null).toBeNull();
  },

  "an agent goes out and comes in as one document": async ({ client }) => {
    const document =
      "kind: agent\nformat: 1\nname: Träger\nskill_content: |\n  # Träger\n\n  Answer.\nconfig:\n" +
      "  version: 1 # mine\n";
    // As the document says.
    const made = (await client.call("agents.import", [document])) as { agent_id: string };
    const exported = await client.call("agents.export", [made.agent_id]);
    for (const part of ["name: Träger", "# mine"]) expect(exported).toContain(part);
    expect((await client.call("agents.archive", [made.agent_id])) ?? null).toBeNull();
  },

  "what a full budget refuses is sent again after Retry-After, and what refuses for longer is told":
    async ({ account, behindRefusals }) => {
      const refusal = (seconds: number) =>
        `HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${seconds}\r\n` +
        "Content-Type: application/json\r\nConnection: close\r\n\r\n" +
        '{"error":"RATE_LIMITED","message":"Later."}';
      const busy = await behindRefusals(account, [refusal(1), refusal(1)]);
      const before = Date.now();
      expect(await busy.call("workspaces.create", [{ name: "patient" }])).toMatchObject({
        name: "patient",
      });
      // Two refusals of a second each: a client that does not heed them is done at once, or gives
      // up.
      expect(Date.now() - before).toBeGreaterThanOrEqual(2000);
      const spent = await behindRefusals(account, [refusal(3600)]);
      expect(await faultOf(spent.call("account.usage", []))).toMatchObject({
        name: "LatheApiError",
        status: 429,
        code: "RATE_LIMITED",
      });
    },

  "what fails says so by its own error: a refusal, a run, a stream that cannot be read on": async ({
    account,
    behindCuts,
    client,
    script,
  }) => {
    const malformed = await faultOf(client.call("runs.get", ["42"]));
    expect(malformed).toMatchObject({
      name: "LatheApiError",
      status: 400,
      code: "INVALID_INPUT",
      details: [{ path: "run_id" }],
    });
    const refused = await faultOf(
      client.call("runs.create", [{ input: {}, workspace_id: account.accountId }]),
    );
    expect(refused).toMatchObject({
      name: "LatheApiError",
      status: 404,
      code: "WORKSPACE_NOT_FOUND",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const bad = await script({ status: 400 });
    const creation = await run(client, "agents.create", [{ input: bad.mark }]);
    expect(await faultOf(client.call("agents.waitForAgent", [creation.run_id]))).toMatchObject({
      name: "LatheRunError",
    });
    const one = await script({ text: ANSWER.repeat(5), chunk_size: 3 });
    const { client: cut } = await behindCuts(account, [1600, ...Array<number>(30).fill(10)], {
      maxReconnects: 2,
    });
    const broken = await faultOf(all(cut.iterate("runs.stream", [{ input: { text: one.mark } }])));
    expect(broken).toMatchObject({
      name: "LatheStreamError",
      run_id: expect.any(String),
      last_sequence_number: expect.any(Number),
    });
  },

  "the account's events are followed from a number on, over broken connections, each once": async ({
    newAccount,
    open,
    behindCuts,
    script,
  }) => {
    const account = await newAccount({ credits: 1_000 });
    const client = await open(account);
    const ids: string[] = [];
    for (const text of ["a", "b", "c"]) {
      const one = await script({ text });
      const started = await run(client, "runs.create", [{ input: { text: one.mark } }]);
      await client.call("runs.wait", [started.run_id], { timeoutMs: 60_000 });
      ids.push(started.run_id);
    }
    const follow = async (from: DrivenClient, startingAfter: number, count: number) => {
      const seen: { sequence: number; data: { run_id: string } }[] = [];
      const events = from.iterate("events.follow", [], { startingAfter, types: ["run.completed"] });
      for await (const event of events) {
        seen.push(event as (typeof seen)[number]); // of that type
        if (seen.length === count) break;
      }
      return seen;
    };
    const whole = await follow(client, 0, ids.length);
    expect(whole.map(({ data }) => data.run_id)).toEqual(ids);
    const { client: cut } = await behindCuts(account, [
      900,
      700,
      900,
      ...Array<number>(5).fill(1e6),
    ]);
    expect(await follow(cut, 0, ids.length)).toEqual(whole);
    expect(await follow(client, whole[0]?.sequence ?? 0, 1)).toEqual(whole.slice(1, 2));
  },

  "a wait that is over leaves the run, to be cancelled": async ({ client, script }) => {
    const one = await script({ text: "x", hold_first: true });
    const { run_id } = await run(client, "runs.create", [{ input: { text: one.mark } }]);
    expect(await faultOf(client.call("runs.wait", [run_id], { timeoutMs: 300 }))).toMatchObject({
      name: "LatheTimeoutError",
      run_id,
    });
    expect(await client.call("runs.cancel", [run_id])).toMatchObject({ run_id });
    expect((await run(client, "runs.wait", [run_id])).status).toBe("cancelled");
  },
};
