import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AccountOptions, availableMicros, createAccount } from "../support/accounts";
import { admin, openAdminSession } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { ApiDocument } from "../support/api-document";
import { callOperation } from "../support/every-operation";
import { expectError } from "../support/expect-answers";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

// One service with small limits, and with an engine's server that is away: what the suite's service
// cannot show.
const IP_LIMIT = 150;
const SPACE_BYTES = 100_000;
const CONNECTIONS = 40;
const environment = async () => ({
  IP_LIMIT_PER_MINUTE: String(IP_LIMIT),
  ACCOUNT_FILES_MAX_BYTES: String(SPACE_BYTES),
  RATE_LIMIT_PER_MINUTE: "7",
  WRITE_LIMIT_PER_HOUR: "3",
  CONNECTIONS_PER_ADDRESS: String(CONNECTIONS),
  TRUSTED_PROXIES: "",
  INNGEST_EVENT_KEY: "nobody-checks-it",
  INNGEST_SIGNING_KEY: "signkey-test-0123456789abcdef",
  INNGEST_BASE_URL: `http://127.0.0.1:${await freePort()}`,
});

interface Narrow {
  service: Service;
  dataDir: string;
  account: (options?: AccountOptions) => ReturnType<typeof createAccount>;
}

const test = base.extend<object, { narrow: Narrow }>({
  narrow: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-narrow-"));
      const dataDir = path.join(folder, "data");
      const service = await startService({
        port: await freePort(),
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment: await environment(),
        isEngineAway: true,
      });
      const session = await openAdminSession(dataDir);
      await use({
        service,
        dataDir,
        account: (options) => createAccount(service.baseUrl, options, { DATA_DIR: dataDir }),
      });
      await session.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "default" });

/** Asks from another address of this machine, which has a budget of its own. */
function askFrom(
  localAddress: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { localAddress, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on("error", reject).end();
  });
}
/** A connection of that address, and what is heard on it. */
async function connectFrom(localAddress: string, port: number) {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  const connection = { socket, heard: "", isOver: false };
  socket.setEncoding("utf8").on("data", (part: string) => {
    connection.heard += part;
  });
  socket.on("close", () => {
    connection.isOver = true;
  });
  await once(socket, "connect");
  return connection;
}

test("an address may hold as many connections as set; the next is refused unasked", async ({
  narrow,
}) => {
  const port = Number(new URL(narrow.service.baseUrl).port);
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS + 3 }, () => connectFrom("127.0.0.77", port)),
  );
  const refused = () => connections.filter(({ isOver }) => isOver);
  await expect.poll(() => refused().length).toBe(3);
  for (const { heard } of refused())
    expect(heard).toMatch(/^HTTP\/1\.1 429 [\s\S]*"error":"RATE_LIMITED"/);
  // The others are heard: none of them was refused later.
  const open = connections.filter(({ isOver }) => !isOver);
  for (const { socket } of open)
    socket.write("GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  await expect
    .poll(() => open.filter(({ heard }) => /^HTTP\/1\.1 200 /.test(heard)).length)
    .toBe(CONNECTIONS);
  for (const { socket } of open) socket.destroy();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

test("while the engine's server is away every start answers 503, and uses up nothing", async ({
  narrow,
}) => {
  const account = await narrow.account({ credits: 100, superAgent: true, writePerHour: 3 });
  const { api } = account;
  const before = await availableMicros(api);
  const yaml = {
    raw: "kind: agent\nformat: 1\nname: N\nskill_content: S\n",
    headers: { "content-type": "application/yaml" },
  };
  const agent = (await api.post("/v1/agents/import", undefined, yaml)).as("Agent");
  const { api_key } = await admin(
    ["key", "create", "--email", account.email, "--agent", agent.agent_id],
    { DATA_DIR: narrow.dataDir },
  );
  const app = new ApiClient(api.baseUrl, String(api_key));
  // A replay repeats an ended run, a firing wants a schedule, a message for later a run at work:
  // there is none of them.
  const elsewhere = [
    ...["replayRun", "runSchedule"],
    ...["sendMessage", "sendSuperAgentMessage", "sendAppMessage"],
  ];
  const starts = (await ApiDocument.read(api)).operations.filter(
    ({ codes, id }) => codes.includes("INSUFFICIENT_CREDITS") && !elsewhere.includes(id),
  );
  expect(starts).toHaveLength(7);
  const key = randomUUID();
  for (const round of ["first", "again under the same key"]) {
    const answers = await Promise.all(
      starts.map(async (operation) => ({
        operation,
        answer: await callOperation(
          operation.auth === "app" ? app : api,
          operation,
          [agent.agent_id],
          {
            // A live run keeps no key, and refuses one.
            headers: operation.codes.includes("IDEMPOTENCY_CONFLICT")
              ? { "idempotency-key": key }
              : {},
          },
        ),
      })),
    );
    for (const { operation, answer } of answers)
      await test.step(`${operation.id}, ${round}`, async () => {
        expectError(answer, 503, "SERVICE_UNAVAILABLE");
        expect(operation.codes).toContain("SERVICE_UNAVAILABLE");
        expect(answer.header("idempotency-replayed")).toBeNull();
      });
  }
  for (const path of [
    "/v1/runs",
    "/v1/super-agent/runs",
    "/v1/conversations",
    `/v1/agents/${agent.agent_id}/edits`,
  ])
    expect((await api.get(path)).json()).toEqual({ data: [], has_more: false, next_cursor: null });
  expect(await availableMicros(api)).toBe(before);
  // The import took one of the three writes; the creations and edits that were taken back took
  // none.
  const writes = [];
  for (const name of ["a", "b", "c"])
    writes.push((await api.post("/v1/workspaces", { name })).status);
  expect(writes).toEqual([201, 201, 429]);
});

test("files may fill an account's space to the byte, no more, and what goes is free again", async ({
  narrow,
}) => {
  const { api } = await narrow.account();
  const workspace = async () =>
    (await api.post("/v1/workspaces", { name: "space" })).as("Workspace").workspace_id;
  const [one, two] = [await workspace(), await workspace()];
  const upload = (to: string, path: string, size: number) =>
    api.post(`/v1/workspaces/${to}/files`, undefined, {
      raw: new Uint8Array(size),
      query: { path },
    });
  const first = (await upload(one, "a.bin", 60_000)).as("WorkspaceFile");
  expect((await upload(two, "b.bin", SPACE_BYTES - 60_000)).status).toBe(201);
  expectError(await upload(two, "c.bin", 1), 413, "PAYLOAD_TOO_LARGE");
  expectError(await upload(one, "a.bin", 60_001), 413, "PAYLOAD_TOO_LARGE");
  expect(
    (await api.get(`/v1/workspaces/${two}/files`))
      .as("WorkspaceFilePage")
      .data.map(({ path }) => path),
  ).toEqual(["b.bin"]);
  expect((await api.get(`/v1/workspaces/${one}/files`)).as("WorkspaceFilePage").data).toEqual([
    first,
  ]);
  expect((await upload(one, "a.bin", 59_999)).status).toBe(200);
  expect((await upload(two, "c.bin", 1)).status).toBe(201);
  expect((await api.delete(`/v1/workspaces/${one}`)).status).toBe(204);
  const last = (await upload(two, "d.bin", 59_999)).as("WorkspaceFile");
  expectError(await upload(two, "e.bin", 1), 413, "PAYLOAD_TOO_LARGE");
  expect((await api.delete(`/v1/workspaces/${two}/files/${first.file_id}`)).status).toBe(404);
  expectError(await upload(two, "e.bin", 1), 413, "PAYLOAD_TOO_LARGE");
  expect((await api.delete(`/v1/workspaces/${two}/files/${last.file_id}`)).status).toBe(204);
  expect((await upload(two, "e.bin", 59_999)).status).toBe(201);
  expectError(await upload(two, "f.bin", 1), 413, "PAYLOAD_TOO_LARGE");
});

test("the operator's settings replace the default budgets", async ({ narrow }) => {
  const { api } = await narrow.account({ defaultLimits: true });
  const answers = await Promise.all(Array.from({ length: 12 }, () => api.get("/v1/account/usage")));
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(7);
  expect(passed[0]?.header("x-ratelimit-limit")).toBe("7");
  const writer = await narrow.account({ defaultLimits: true, readPerMinute: 100 });
  const writes = await Promise.all(
    Array.from({ length: 5 }, (_, n) => writer.api.post("/v1/workspaces", { name: `w${n}` })),
  );
  expect(writes.filter(({ status }) => status === 201)).toHaveLength(3);
});

test("exactly an address's limit of requests passes, on any path, before the key", async ({
  narrow,
}) => {
  const { api } = await narrow.account();
  const url = (path: string) => `${narrow.service.baseUrl}${path}`;
  const forged = (n: number) => ({
    "x-forwarded-for": `203.0.113.${n}`,
    "x-real-ip": `203.0.113.${n}`,
    forwarded: `for=203.0.113.${n}`,
    "x-lathe-client-address": `203.0.113.${n}`,
    authorization: "Bearer nonsense",
  });
  const answers: Answer[] = [];
  // As many at once as an address may have connections, less some that are still being closed.
  for (const rest of Array.from({ length: (IP_LIMIT + 20) / 10 }, (_, n) => n * 10))
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          askFrom("127.0.0.2", url("/v1/runs"), forged(rest + n)),
        ),
      )),
    );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(401), count(429)]).toEqual([IP_LIMIT, 20]);
  const paths = [
    "/v1/runs",
    "/v1/nothing",
    "/v1/openapi.json",
    "/v1/schemas/agent-config.json",
    "/v1/schemas/dashboard-template.json",
  ];
  for (const path of [
    ...paths,
    `/api/v1/apps/${UNKNOWN_ID}/runs`,
    `/api/artifacts/${UNKNOWN_ID}`,
    "/api/console/v1/runs",
  ]) {
    const { status, headers, text } = await askFrom("127.0.0.2", url(path), {
      authorization: `Bearer ${api.key}`,
    });
    expect([path, status]).toEqual([path, 429]);
    expect(JSON.parse(text)).toMatchObject({ error: "RATE_LIMITED" });
    expect(headers["retry-after"]).toMatch(/^[1-9]\d?$/);
    expect(headers["x-request-id"]).toBeTruthy();
    expect(headers["x-ratelimit-limit"]).toBeUndefined();
  }
  expect(
    (await askFrom("127.0.0.3", url("/v1/runs"), { authorization: `Bearer ${api.key}` })).status,
  ).toBe(200);
});
