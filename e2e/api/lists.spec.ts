import { z } from "zod";
import { type AccountFixtures, createAccountFixtures } from "../support/account-fixtures";
import { createAccount } from "../support/accounts";
import type { ApiClient } from "../support/api-client";
import { ApiDocument } from "../support/api-document";
import { callOperation, clientFor, idAt, pathPrefixes } from "../support/every-operation";
import { ModelScript } from "../support/model-script";
import { expect, test } from "../support/test";
import { until } from "../support/until";
import { WebhookInbox } from "../support/webhook-inbox";

const pageShape = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  has_more: z.boolean().optional(),
  hasMore: z.boolean().optional(),
  next_cursor: z.string().nullable().optional(),
  nextCursor: z.string().nullable().optional(),
});
const ROWS = 3;

/**
 * Two more of what lies under the first agent and the first workspace, so that each list under them
 * has three rows too.
 */
async function fillUp(
  mine: AccountFixtures,
  others: AccountFixtures[],
  modelUrl: string,
): Promise<void> {
  const { api } = mine.account;
  const agent = `/v1/agents/${idAt(mine, "/v1/agents/{agent_id}")}`;
  const workspace = `/v1/workspaces/${idAt(mine, "/v1/workspaces/{workspace_id}")}`;
  const schedule =
    `${agent}/schedules/` + `${idAt(mine, "/v1/agents/{agent_id}/schedules/{schedule_id}")}`;
  for (let row = 0; row < ROWS; row += 1) {
    await made(api, "POST", `${schedule}/run`);
    await made(api, "POST", `${agent}/cases`, {
      name: `Case ${row}`,
      input: { request: "Go." },
      checks: [{ type: "contains", value: "x" }],
    });
    const { mark } = await ModelScript.register(modelUrl, [{ text: "x" }]);
    const person = { end_user: `person-${row}`, input: { text: mark } };
    await made(api, "POST", "/v1/runs", person);
  }
  for (const [index, other] of others.entries()) {
    await made(api, "PUT", `${workspace}/agents/${idAt(other, "/v1/agents/{agent_id}")}`);
    await made(api, "POST", `${workspace}/files?path=${index}.txt`, "x");
    await made(api, "POST", `${agent}/schedules`, { cron: "0 0 1 1 *", enabled: false });
    await made(api, "PATCH", agent, { name: `Version ${index}` });
    const note = { name: "memory", args: { action: "save", text: `Note ${index}` } };
    const { mark: noting } = await ModelScript.register(modelUrl, [
      { tool_calls: [note] },
      { text: "Noted." },
    ]);
    const noted = await made(api, "POST", "/v1/runs", {
      agent_id: idAt(mine, "/v1/agents/{agent_id}"),
      input: { text: noting },
    });
    await until(
      "the note to be kept",
      async () => (await made(api, "GET", `/v1/runs/${noted.run_id}`)).completed_at,
    );
    const { mark } = await ModelScript.register(modelUrl, [{ text: "x" }]);
    await made(mine.app, "POST", `/api/v1/apps/${idAt(mine, "/v1/agents/{agent_id}")}/runs`, {
      inputs: { text: mark },
    });
    const { mark: asking } = await ModelScript.register(modelUrl, [
      { tool_calls: [{ name: "write_out", args: {} }] },
    ]);
    const app = `/api/v1/apps/${idAt(mine, "/v1/agents/{agent_id}")}`;
    const { runId } = await made(mine.app, "POST", `${app}/runs`, { inputs: { text: asking } });
    await until(
      "the call to wait",
      async () => (await made(mine.app, "GET", `${app}/runs/${runId}`)).requiresAction,
    );
    const edit = {
      tool_calls: [{ name: "$only", args: { name: `Edited ${index}`, summary: "x" } }],
    };
    const { mark: input } = await ModelScript.register(modelUrl, [edit]);
    const { run_id } = await made(api, "POST", `${agent}/edits`, { input });
    await until(
      "the edit to end",
      async () => (await made(api, "GET", `/v1/runs/${run_id}`)).completed_at,
    );
  }
}

async function made(
  api: ApiClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await api.request(
    method,
    path,
    typeof body === "string" ? { raw: body } : body === undefined ? {} : { json: body },
  );
  expect([path, answer.status, answer.status < 300 ? "" : answer.text]).toEqual([
    path,
    answer.status,
    "",
  ]);
  return answer.status === 204 ? {} : answer.fitting(z.record(z.string(), z.unknown()));
}

/** Lists that are read elsewhere. */
const OTHERWISE = new Set([
  // With its newest messages it is no list of rows: read-conversations.spec.ts.
  "getConversation",
  // A run at work takes them: lib/domain/execution/turn/messages.db.test.ts.
  "listRunMessages",
  "listSuperAgentRunMessages",
  // People make them, one approval after the other: lib/jobs/approvals-bind.db.test.ts.
  "listRememberedApprovals",
]);

test("every list, read row by row, gives its rows, each once and in the same order", async ({
  serviceUrl,
  modelUrl,
  webhookUrl,
}) => {
  test.setTimeout(120_000);
  const account = await createAccount(serviceUrl, { superAgent: true, credits: 100_000 });
  const own = () => createAccountFixtures(account, modelUrl, new WebhookInbox(webhookUrl));
  // One after another: what each makes is named by the time.
  const [mine, ...others] = [await own(), await own(), await own()];
  await fillUp(mine, others, modelUrl);
  const paged = (await ApiDocument.read(account.api)).operations.filter(
    ({ queries }) => queries.includes("limit") && queries.includes("cursor"),
  );
  const lists = paged.filter(({ id }) => !OTHERWISE.has(id));
  expect(lists.length).toBeGreaterThan(13);
  for (const operation of lists) {
    const ids = pathPrefixes(operation).map((place) => idAt(mine, place));
    const page = async (query: { limit: number; cursor?: string }) => {
      const { data, ...ends } = (
        await callOperation(clientFor(mine, operation), operation, ids, { query })
      ).fitting(pageShape);
      // A list's rows begin with what names them.
      return {
        names: data.map((row) => Object.values(row)[0]),
        more: ends.has_more ?? ends.hasMore,
        next: ends.next_cursor ?? ends.nextCursor ?? null,
      };
    };
    await test.step(operation.id, async () => {
      const whole = await page({ limit: 100 });
      expect(
        whole.names.length,
        `${operation.id} needs ${ROWS} rows: make them in fillUp`,
      ).toBeGreaterThanOrEqual(ROWS);
      expect([new Set(whole.names).size, whole.more, whole.next]).toEqual([
        whole.names.length,
        false,
        null,
      ]);
      const collected: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const one = await page({ limit: 1, ...(cursor && { cursor }) });
        expect([one.names.length, one.more]).toEqual([1, one.next !== null]);
        collected.push(...one.names);
        cursor = one.next;
      } while (cursor && collected.length <= whole.names.length);
      expect(collected).toEqual(whole.names);
    });
  }
});
