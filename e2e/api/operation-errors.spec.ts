import { randomUUID } from "node:crypto";
import { type AccountFixtures, createAccountFixtures } from "../support/account-fixtures";
import { createAccount } from "../support/accounts";
import { admin } from "../support/admin";
import type { ApiClient, ApiResponse, RequestOptions } from "../support/api-client";
import { ApiDocument, type DocumentedOperation } from "../support/api-document";
import {
  callOperation,
  clientFor,
  ErrorCases,
  goodRequest,
  idAt,
  malformedIdAt,
  needsObject,
  notFoundCode,
  pathPrefixes,
  readAll,
  unknownIdAt,
} from "../support/every-operation";
import { expectError } from "../support/expect-answers";
import type { ModelScript, ScriptTurn } from "../support/model-script";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";
import { WebhookInbox } from "../support/webhook-inbox";

const FILE_MAX_BYTES = Number(process.env.E2E_FILE_MAX_BYTES ?? 0);
const JSON_MAX_BYTES = 1_048_576;
const SECRET_MAX_BYTES = 65_536;
/**
 * Writes that the hourly cap does not count: what starts, ends or answers runs, and conversations.
 */
const NO_HOURLY_WRITE =
  /^(create(Run|RealtimeRun|SuperAgentRun|SuperAgentRealtimeRun|AppRun)|replayRun|runSchedule|update\w*Run|cancel\w+|send\w*Message|createClientToken|resolveAppApproval|submit\w+|convertOpenapi|resolveApproval|redeliverWebhook|delete(Conversation|Run|Artifact))$/;
const errorCases = new ErrorCases();

interface Owners {
  operations: DocumentedOperation[];
  mine: AccountFixtures;
  /** An account that loses its rights in the course of the tests. */
  poor: AccountFixtures;
}

const test = base.extend<object, { owners: Owners }>({
  owners: [
    async ({ serviceUrl, modelUrl, webhookUrl }, use) => {
      const account = () => createAccount(serviceUrl, { superAgent: true, credits: 100_000 });
      const own = async () =>
        createAccountFixtures(await account(), modelUrl, new WebhookInbox(webhookUrl));
      const [mine, poor] = await Promise.all([own(), own()]);
      await use({ operations: (await ApiDocument.read(mine.account.api)).operations, mine, poor });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

interface Tools {
  owners: Owners;
  anonymous: ApiClient;
  script: (...turns: ScriptTurn[]) => Promise<ModelScript>;
}
const steps: { title: string; act: (tools: Tools) => Promise<void> }[] = [];

/** A part of the one test at the end. */
function step(title: string, act: (tools: Tools) => Promise<void>): void {
  steps.push({ title, act });
}

/** A turn that a limit of eight credits does not cover twice. */
const SPENDING: ScriptTurn = {
  text: "spending",
  tool_calls: [{ name: "todo", fill: true }],
  usage: { input: 4000, output: 100 },
};

/** A super-agent's run that waits to be raised above eight credits. */
async function heldSuperAgentRun(api: ApiClient, text: string): Promise<string> {
  const body = { input: { text }, max_credits: 8, on_budget: "wait" };
  const { run_id } = (await api.post("/v1/super-agent/runs", body)).as("Run");
  const path = `/v1/super-agent/runs/${run_id}`;
  await until("the run to wait", async () => (await api.get(path)).as("Run").requires_action);
  return run_id;
}

/** Asks with the owner's own ids. */
function askOwn(
  owner: AccountFixtures,
  operation: DocumentedOperation,
  options?: RequestOptions,
): Promise<ApiResponse> {
  const ids = pathPrefixes(operation).map((place) => idAt(owner, place));
  return callOperation(clientFor(owner, operation), operation, ids, options);
}

function named({ operations }: Owners, id: string): DocumentedOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

/** A body of the operation with other fields too. */
function bodyWith(operation: DocumentedOperation, fields: Record<string, unknown>): RequestOptions {
  return { json: { ...Object(goodRequest(operation).json), ...fields } };
}

step(
  "without a key, and with a key of the other family, every operation answers 401",
  async ({ owners, anonymous }) => {
    for (const operation of owners.operations.filter(({ auth }) => auth !== "none")) {
      const ids = pathPrefixes(operation).map((place) => idAt(owners.mine, place));
      const wrong = operation.auth === "app" ? owners.mine.account.api : owners.mine.app;
      for (const client of [anonymous, wrong])
        errorCases.note(
          operation,
          await callOperation(client, operation, ids),
          401,
          "AUTHENTICATION_REQUIRED",
        );
    }
  },
);

step(
  "a malformed id in any place, an unknown property and an empty page answer 400 by name",
  async ({ owners }) => {
    const { mine } = owners;
    for (const operation of owners.operations) {
      const places = pathPrefixes(operation);
      for (const [index, place] of places.entries()) {
        const ids = places.map((each, at) =>
          at === index ? malformedIdAt(each) : idAt(mine, each),
        );
        errorCases.note(
          operation,
          await callOperation(clientFor(mine, operation), operation, ids),
          400,
          "INVALID_INPUT",
          operation.pathParameters[index],
        );
        expect(place).toBeTruthy();
      }
      if (operation.takesJson)
        errorCases.note(
          operation,
          await askOwn(mine, operation, bodyWith(operation, { surprise: 1 })),
          400,
          "INVALID_INPUT",
        );
      if (operation.queries.includes("limit"))
        errorCases.note(
          operation,
          await askOwn(mine, operation, { query: { limit: 0 } }),
          400,
          "INVALID_INPUT",
          "limit",
        );
    }
    const usage = named(owners, "getAccountUsage");
    errorCases.note(
      usage,
      await askOwn(mine, usage, { query: { group_by: "colour" } }),
      400,
      "INVALID_INPUT",
      "group_by.0",
    );
    const importing = named(owners, "importAgent");
    errorCases.note(
      importing,
      await askOwn(mine, importing, { raw: "[", headers: { "content-type": "application/yaml" } }),
      400,
      "INVALID_INPUT",
    );
  },
);

step(
  "a method that a path does not have answers 405 with exactly the documented ones",
  async ({ owners }) => {
    const { operations, mine } = owners;
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const those = operations.filter((operation) => operation.path === path);
      const methods = those.map(({ method }) => method).sort();
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
        (each) => !methods.includes(each),
      )) {
        // The path's first one under another method.
        const operation = { ...those[0], method } as DocumentedOperation;
        const answer = await askOwn(mine, operation, { json: undefined, raw: undefined });
        expectError(answer, 405, "METHOD_NOT_ALLOWED");
        expect(answer.header("allow")?.split(", ").sort()).toEqual(methods);
      }
    }
  },
);

step("what is too large answers 413", async ({ owners }) => {
  const { mine } = owners;
  const headers = { "content-type": "application/json" };
  for (const operation of owners.operations.filter(({ takesJson }) => takesJson))
    errorCases.note(
      operation,
      await askOwn(mine, operation, {
        raw: " ".repeat(JSON_MAX_BYTES + 1),
        json: undefined,
        headers,
      }),
      413,
      "PAYLOAD_TOO_LARGE",
    );
  const [upload, importing] = [named(owners, "uploadFile"), named(owners, "importAgent")];
  const file = { raw: new Uint8Array(FILE_MAX_BYTES + 1), query: { path: "large" } };
  errorCases.note(upload, await askOwn(mine, upload, file), 413, "PAYLOAD_TOO_LARGE");
  const yaml = {
    raw: " ".repeat(4 * JSON_MAX_BYTES + 1),
    headers: { "content-type": "application/yaml" },
  };
  errorCases.note(importing, await askOwn(mine, importing, yaml), 413, "PAYLOAD_TOO_LARGE");
});

step(
  "what is not there answers 404 by its kind, in every place and every field",
  async ({ owners }) => {
    const { mine } = owners;
    for (const operation of owners.operations.filter(needsObject)) {
      const places = pathPrefixes(operation);
      for (const [index, place] of places.entries()) {
        const ids = places.map((each, at) => (at === index ? unknownIdAt(each) : idAt(mine, each)));
        errorCases.note(
          operation,
          await callOperation(clientFor(mine, operation), operation, ids),
          404,
          notFoundCode(place),
        );
      }
      for (const field of operation.bodyIds)
        errorCases.note(
          operation,
          await askOwn(mine, operation, bodyWith(operation, { [field]: UNKNOWN_ID })),
          404,
          notFoundCode(`{${field}}`),
        );
    }
    const agent_id = idAt(mine, "/v1/agents/{agent_id}");
    for (const [id, body] of [
      ["createRun", { agent_id }],
      ["createRealtimeRun", { agent_id }],
      ["createSchedule", {}],
      ["updateSchedule", {}],
    ] as const) {
      const operation = named(owners, id);
      const answer = await askOwn(
        mine,
        operation,
        bodyWith(operation, { ...body, version: UNKNOWN_ID }),
      );
      errorCases.note(operation, answer, 404, "VERSION_NOT_FOUND");
    }
  },
);

const SENDS_MESSAGE = /^send\w*Message$/;
/** What a message is refused with that becomes a run. */
const OF_LATER = [
  "WORKSPACE_NOT_FOUND",
  "CONVERSATION_NOT_FOUND",
  "ACCOUNT_BLOCKED",
  "INSUFFICIENT_CREDITS",
];

step("an Idempotency-Key with another body answers 409", async ({ owners }) => {
  // A message wants a run at work: lib/domain/execution/turn/messages.db.test.ts.
  const keyed = owners.operations.filter(
    ({ id, codes, takesJson }) =>
      takesJson && codes.includes("IDEMPOTENCY_CONFLICT") && !SENDS_MESSAGE.test(id),
  );
  for (const operation of keyed) {
    const headers = { "idempotency-key": randomUUID() };
    expect((await askOwn(owners.mine, operation, { headers })).status).toBe(202);
    const good = Object(goodRequest(operation).json);
    const other =
      operation.id === "replayRun"
        ? { metadata: { n: "2" } }
        : "inputs" in good
          ? { inputs: { n: 2 } }
          : { input: typeof good.input === "string" ? "Something else." : { n: 2 } };
    errorCases.note(
      operation,
      await askOwn(owners.mine, operation, { ...bodyWith(operation, other), headers }),
      409,
      "IDEMPOTENCY_CONFLICT",
    );
  }
});

step(
  "a busy conversation answers 409, wherever it could be continued or deleted",
  async ({ owners, script }) => {
    const { mine } = owners;
    const held = await script({ text: "later", hold_first: true });
    const { api } = mine.account;
    const creation = (await api.post("/v1/agents", { input: held.mark })).json() as {
      conversation_id: string;
    }; // a Run
    const superRun = (
      await api.post("/v1/super-agent/runs", { input: { text: held.mark } })
    ).json() as { conversation_id: string }; // a Run
    const busyOf = ({ id }: DocumentedOperation) =>
      /^createAgent/.test(id)
        ? creation.conversation_id
        : /^createSuper/.test(id)
          ? superRun.conversation_id
          : mine.busyConversation;
    for (const operation of owners.operations.filter(({ codes }) =>
      codes.includes("CONVERSATION_BUSY"),
    )) {
      const [field] = operation.bodyIds.filter((name) => name.startsWith("conversation"));
      const answer = field
        ? await askOwn(mine, operation, bodyWith(operation, { [field]: busyOf(operation) }))
        : await callOperation(api, operation, [mine.busyConversation]);
      errorCases.note(operation, answer, 409, "CONVERSATION_BUSY");
    }
    await held.release();
  },
);

step("what contradicts the state of things answers 409, 412 or 416", async ({ owners, script }) => {
  const { mine } = owners;
  const { api } = mine.account;
  const conflict = async (id: string, options?: RequestOptions) =>
    errorCases.note(
      named(owners, id),
      await askOwn(mine, named(owners, id), options),
      409,
      "CONFLICT",
    );
  errorCases.note(
    named(owners, "deleteRun"),
    await callOperation(api, named(owners, "deleteRun"), [mine.busyRun]),
    409,
    "CONFLICT",
  );
  errorCases.note(
    named(owners, "replayRun"),
    await callOperation(api, named(owners, "replayRun"), [mine.busyRun]),
    409,
    "CONFLICT",
  );
  const deleting = named(owners, "deleteArtifact");
  errorCases.note(
    deleting,
    await callOperation(api, deleting, [mine.busyArtifact]),
    409,
    "CONFLICT",
  );
  // Those at these places have ended; the others have no limit that could be raised, or a higher
  // one.
  const superRun = await heldSuperAgentRun(api, (await script(SPENDING)).mark);
  for (const id of ["updateRun", "updateSuperAgentRun", "updateAppRun"])
    errorCases.note(
      named(owners, id),
      await askOwn(mine, named(owners, id)),
      409,
      "RUN_NOT_ACTIVE",
    );
  for (const [id, ids] of [
    ["updateRun", [mine.busyRun]],
    ["updateSuperAgentRun", [superRun]],
    ["updateAppRun", [idAt(mine, "/api/v1/apps/{appId}"), mine.busyAppRun]],
  ] as const) {
    const raising = named(owners, id);
    errorCases.note(
      raising,
      await callOperation(clientFor(mine, raising), raising, [...ids], {
        json: id === "updateAppRun" ? { maxCredits: 1 } : { max_credits: 1 },
      }),
      409,
      "CONFLICT",
    );
  }
  expect((await api.post(`/v1/super-agent/runs/${superRun}/cancel`)).status).toBe(202);
  const update = named(owners, "updateAgent");
  errorCases.note(
    update,
    await askOwn(mine, update, { headers: { "if-match": '"another"' } }),
    412,
    "VERSION_CONFLICT",
  );
  const content = named(owners, "getFileContent");
  errorCases.note(
    content,
    await askOwn(mine, content, { headers: { range: "bytes=1-" } }),
    416,
    "RANGE_NOT_SATISFIABLE",
  );
  const kept = named(owners, "getRunFileContent");
  const beyond = { ...goodRequest(kept), headers: { range: "bytes=1-" } };
  errorCases.note(kept, await askOwn(mine, kept, beyond), 416, "RANGE_NOT_SATISFIABLE");
  const gone = { query: { path: "gone.txt" } };
  errorCases.note(kept, await askOwn(mine, kept, gone), 404, "FILE_NOT_FOUND");
  const name = idAt(mine, "/v1/secrets/{name}");
  const allowed_hosts = ["api.unknown.invalid"];
  await conflict("createSecret", { json: { name, value: "x", allowed_hosts } });
  for (let n = 0; n < 5; n += 1)
    expect(
      (
        await api.post("/v1/secrets", {
          name: `LARGE_${n}`,
          value: "x".repeat(SECRET_MAX_BYTES),
          allowed_hosts,
        })
      ).status,
    ).toBe(201);
  expect(
    (
      await api.post("/v1/secrets", {
        name: "LARGE_5",
        value: "x".repeat(SECRET_MAX_BYTES - 1_000),
        allowed_hosts,
      })
    ).status,
  ).toBe(201);
  await conflict("updateSecret", { json: { value: "x".repeat(SECRET_MAX_BYTES) } });
  const [builtIn] = (await api.get("/v1/skills?limit=100"))
    .as("SkillPage")
    .data.filter(({ source }) => source === "built_in");
  for (const id of ["disableSkill", "deleteSkill"])
    errorCases.note(
      named(owners, id),
      await callOperation(api, named(owners, id), [builtIn?.skill_id ?? ""]),
      409,
      "CONFLICT",
    );
  expect((await askOwn(mine, named(owners, "installSkill"))).status).toBe(201);
  await conflict("installSkill");
  for (let n = 0; n < 4; n += 1)
    expect((await askOwn(mine, named(owners, "rotateWebhookSecret"))).status).toBe(200);
  await conflict("rotateWebhookSecret");
  const rotating = named(owners, "rotateWebhookEndpointSecret");
  for (let n = 0; n < 4; n += 1) expect((await askOwn(mine, rotating)).status).toBe(200);
  await conflict(rotating.id);
  const endpoints = (await api.get("/v1/webhook-endpoints?limit=100")).as("WebhookEndpointPage");
  for (let n = endpoints.data.length; n < 20; n += 1)
    expect((await askOwn(mine, named(owners, "createWebhookEndpoint"))).status).toBe(201);
  await conflict("createWebhookEndpoint");
  expect(
    (await askOwn(mine, named(owners, "resolveApproval"), { json: { decision: "reject" } })).status,
  ).toBe(200);
  await conflict("resolveApproval");
  const reject = { json: { decision: "reject" } };
  expect((await askOwn(mine, named(owners, "resolveAppApproval"), reject)).status).toBe(200);
  await conflict("resolveAppApproval");
  await conflict("submitToolResults");
  await conflict("submitAppToolResults");
  for (const id of ["sendMessage", "sendAppMessage", "sendSuperAgentMessage"])
    errorCases.note(
      named(owners, id),
      await askOwn(mine, named(owners, id)),
      409,
      "RUN_NOT_ACTIVE",
    );
  expect((await askOwn(mine, named(owners, "archiveAgent"))).status).toBe(204);
  const agent_id = idAt(mine, "/v1/agents/{agent_id}");
  for (const id of ["createRun", "createRealtimeRun"])
    await conflict(id, { json: { agent_id, input: {} } });
  for (const id of [
    "updateAgent",
    "restoreAgentVersion",
    "createAgentEdit",
    "createAgentCase",
    "createSchedule",
    "createClientToken",
  ])
    await conflict(id);
  await conflict("updateSchedule", { json: { enabled: true } });
  await conflict("runSchedule");
});

step(
  "where the account has all it may have, one more answers 409, and nothing is stored",
  async ({ owners }) => {
    const { operations, poor } = owners;
    const before = await readAll(operations, poor);
    const making = operations.filter(({ caps }) => caps.length > 0);
    expect(making.length).toBeGreaterThan(12);
    const caps = [...new Set(making.flatMap((operation) => operation.caps))];
    const setAll = (to: string) =>
      admin([
        "account",
        "update",
        "--email",
        poor.account.email,
        ...caps.flatMap((cap) => ["--max", `${cap}=${to}`]),
      ]);
    await setAll("0");
    for (const operation of making) {
      const answer = await askOwn(poor, operation);
      errorCases.note(operation, answer, 409, "CONFLICT");
      expect(answer.json()).toMatchObject({
        message: expect.stringContaining("may have at most 0 "),
      });
    }
    await setAll("default");
    expect(await readAll(operations, poor)).toEqual(before);
  },
);

step(
  "over the hourly cap every write answers 429 with retryAfterSeconds, and changes nothing",
  async ({ owners }) => {
    const { operations, poor } = owners;
    const before = await readAll(operations, poor);
    await admin(["account", "update", "--email", poor.account.email, "--write-per-hour", "0"]);
    for (const operation of operations.filter(
      ({ id, method }) => method !== "GET" && !NO_HOURLY_WRITE.test(id),
    )) {
      const answer = await askOwn(poor, operation);
      errorCases.note(operation, answer, 429, "RATE_LIMITED");
      expect(answer.json()).toMatchObject({
        retryAfterSeconds: Number(answer.header("retry-after")),
      });
    }
    expect(await readAll(operations, poor)).toEqual(before);
  },
);

step(
  "without credits, or blocked, every start of a run answers 402 or 403, and none starts",
  async ({ owners }) => {
    const { operations, poor } = owners;
    // A message for later wants a run at work: message-refusals.db.test.ts.
    const starting = operations.filter(({ id }) => !SENDS_MESSAGE.test(id));
    const starts = starting.filter(({ codes }) => codes.includes("INSUFFICIENT_CREDITS"));
    const closed = starting.filter(({ codes }) => codes.includes("ACCOUNT_BLOCKED"));
    // A token is good for starts alone, as far as a blocked account is concerned.
    expect([...starts.map(({ id }) => id), "createClientToken"].sort()).toEqual(
      closed.map(({ id }) => id).sort(),
    );
    const update = (...flags: string[]) =>
      admin(["account", "update", "--email", poor.account.email, ...flags]);
    // Credits that run out are an event of their own.
    await update("--credits", "0", "--write-per-hour", "100000");
    const before = await readAll(operations, poor);
    for (const operation of starts) {
      const answer = await askOwn(poor, operation);
      errorCases.note(operation, answer, 402, "INSUFFICIENT_CREDITS");
      expect(answer.json()).toMatchObject({ available: 0, required: expect.any(Number) });
    }
    await update("--blocked", "true");
    for (const operation of closed)
      errorCases.note(operation, await askOwn(poor, operation), 403, "ACCOUNT_BLOCKED");
    expect(await readAll(operations, poor)).toEqual(before);
  },
);

step(
  "off the allowlist, and over the minute's budget, every operation answers 403 and 429",
  async ({ owners }) => {
    const { operations, poor } = owners;
    const update = (...flags: string[]) =>
      admin(["account", "update", "--email", poor.account.email, ...flags]);
    await update("--super-agent", "false");
    for (const operation of operations.filter(({ path }) =>
      /^\/v1\/(super-agent|product-profile)/.test(path),
    ))
      errorCases.note(operation, await askOwn(poor, operation), 403, "SUPER_AGENT_ACCESS_DENIED");
    await update("--read-per-minute", "0", "--runs-per-minute", "0");
    for (const operation of operations.filter(({ auth }) => auth !== "none")) {
      const answer = await askOwn(poor, operation);
      errorCases.note(operation, answer, 429, "RATE_LIMITED");
      expect(Number(answer.header("retry-after"))).toBeGreaterThanOrEqual(1);
    }
  },
);

step(
  "no documented error was left out but those that another test or nothing provokes",
  async ({ owners }) => {
    const { operations } = owners;
    const elsewhere = operations.flatMap(({ id, auth, codes }) => [
      // A fault of our own: there is none that is known.
      `${id} INTERNAL_ERROR`,
      // The database or the engine away: narrow-service.spec.ts.
      ...(auth === "none" ? [] : [`${id} SERVICE_UNAVAILABLE`]),
      // Without a key only the limit of addresses counts: narrow-service.spec.ts.
      ...(auth === "none" ? [`${id} RATE_LIMITED`] : []),
      // An erasure under way, and one that is done: end-users.spec.ts.
      ...(codes.includes("END_USER_ERASED") ? [`${id} END_USER_ERASED`] : []),
      ...(id === "setEndUserLimits" ? [`${id} CONFLICT`] : []),
      // What went to an endpoint that is deleted: webhook-endpoints.spec.ts.
      ...(id === "redeliverWebhook" ? [`${id} ENDPOINT_NOT_FOUND`] : []),
      // A body that stops coming, by a clock that can be moved: lib/server/listener.test.ts.
      ...(codes.includes("REQUEST_TIMEOUT") ? [`${id} REQUEST_TIMEOUT`] : []),
      // Too many that wait, and a key's second body: lib/domain/execution/turn/messages.db.test.ts;
      // what is said for later, to a run at work: lib/api/v1/runs/message-refusals.db.test.ts.
      ...(SENDS_MESSAGE.test(id)
        ? ["CONFLICT", "IDEMPOTENCY_CONFLICT", ...OF_LATER].map((code) => `${id} ${code}`)
        : []),
      // What an ended run was about is gone by now: replay-runs.spec.ts.
      ...(id === "replayRun"
        ? ["VERSION_NOT_FOUND", "WORKSPACE_NOT_FOUND"].map((code) => `${id} ${code}`)
        : []),
      // It has no body: only while the first is in flight, schedule-firings.db.test.ts.
      ...(id === "runSchedule" ? [`${id} IDEMPOTENCY_CONFLICT`] : []),
    ]);
    expect(errorCases.missingOf(operations).sort()).toEqual(elsewhere.sort());
  },
);

// The steps go on from each other, so that they are one test; one that fails keeps none of the
// others from being tried.
test("every error the document gives an operation is caused, and answers as documented", async ({
  owners,
  anonymous,
  script,
}) => {
  const failures: unknown[] = [];
  for (const { title, act } of steps)
    await test
      .step(title, () => act({ owners, anonymous, script }))
      .catch((error: unknown) => failures.push(`${title}: ${error}`));
  expect(failures.join("\n\n")).toBe("");
});
