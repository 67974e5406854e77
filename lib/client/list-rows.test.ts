import { expect, expectTypeOf, test } from "vitest";
import { createClient, LatheError, type Run } from "./lathe-client";
import { fakeClock } from "./test/clocks";
import { sendJson, startStubServer } from "./test/stub-service";

/** A list of so many numbered rows, some a page. */
async function clientOf(count: number, pageRows: number, busyAt = -1) {
  const stub = await startStubServer(({ path }, response) => {
    if (stub.requests.length === busyAt)
      return sendJson(
        response,
        429,
        { error: "RATE_LIMITED", message: "" },
        { "retry-after": "1" },
      );
    const start = Number(new URL(path, "http://stub").searchParams.get("cursor") ?? 0);
    const end = Math.min(count, start + pageRows);
    const data = Array.from({ length: end - start }, (_, index) => ({
      run_id: String(start + index),
    }));
    sendJson(response, 200, {
      data,
      has_more: end < count,
      next_cursor: end < count ? String(end) : null,
    });
  });
  return {
    client: createClient({ apiKey: "k", baseUrl: stub.url }, fakeClock()),
    requests: stub.requests,
  };
}

async function idsOf(rows: AsyncIterable<Run>): Promise<string[]> {
  const ids: string[] = [];
  for await (const row of rows) ids.push(row.run_id);
  return ids;
}

for (const count of [0, 1, 5, 10, 23]) {
  test(`all ${count} rows of a list come in order, whatever the pages`, async () => {
    const { client, requests } = await clientOf(count, 5);
    expect(await idsOf(client.list("/v1/runs"))).toEqual(
      Array.from({ length: count }, (_, index) => String(index)),
    );
    expect(requests).toHaveLength(Math.max(1, Math.ceil(count / 5)));
  });
}

test("the filter goes with every page, and a full budget in the middle costs no row", async () => {
  const { client, requests } = await clientOf(6, 2, 2);
  expect(
    await idsOf(client.list("/v1/runs", { params: { query: { status: "failed", limit: 2 } } })),
  ).toHaveLength(6);
  expect(requests.map(({ path }) => path)).toEqual([
    "/v1/runs?status=failed&limit=2",
    "/v1/runs?status=failed&limit=2&cursor=2",
    "/v1/runs?status=failed&limit=2&cursor=2",
    "/v1/runs?status=failed&limit=2&cursor=4",
  ]);
});

test("pages are fetched as their rows are asked for", async () => {
  const { client, requests } = await clientOf(100, 5);
  for await (const run of client.list("/v1/runs")) if (run.run_id === "7") break;
  expect(requests).toHaveLength(2);
});

test("a page that points to itself ends in an error, not in a loop", async () => {
  const stub = await startStubServer((_, response) =>
    sendJson(response, 200, { data: [], has_more: true, next_cursor: "same" }),
  );
  const client = createClient({ apiKey: "k", baseUrl: stub.url });
  await expect(idsOf(client.list("/v1/runs"))).rejects.toThrow(LatheError);
});

test("rows and parameters have the types of the document", async () => {
  const { client } = await clientOf(0, 1);
  expectTypeOf(client.list("/v1/runs")).toEqualTypeOf<AsyncGenerator<Run, void, undefined>>();
  const files = client.list("/v1/workspaces/{workspace_id}/files", {
    params: { path: { workspace_id: "w" }, query: { prefix: "a/" } },
  });
  for await (const file of files) expectTypeOf(file.size_bytes).toEqualTypeOf<number>();
  // @ts-expect-error a list has no such path
  client.list("/v1/account/usage");
  // @ts-expect-error events are numbered, not paged by a cursor
  client.list("/v1/runs/{run_id}/events", { params: { path: { run_id: "r" } } });
  // @ts-expect-error the workspace is missing
  client.list("/v1/workspaces/{workspace_id}/files");
});
