import type { RequestOptions } from "../support/api-client";
import type { DocumentedOperation } from "../support/api-document";
import {
  callOperation,
  clientFor,
  goodRequest,
  idAt,
  pathPrefixes,
} from "../support/every-operation";
import { freshAddress } from "../support/fresh-address";
import { spread } from "../support/hostile-texts";
import { expectNoWaits, GENERATED, SHORT, test } from "../support/hostile-world";
import { expect } from "../support/test";
import { until } from "../support/until";

// What a stranger writes is worked through by a process that serves everybody else meanwhile. The
// texts are made of the patterns that the product's own check knows, so that a new one is held to
// this without being listed here.

test.describe.configure({ mode: "default", timeout: 1_200_000 });

/** The places of a body that hold a text, as ways to put another one there. */
function placesOf(value: unknown, put: (value: unknown) => unknown): ((text: string) => unknown)[] {
  if (typeof value === "string") return [(text) => put(text)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    placesOf(inner, (made) =>
      put(
        Array.isArray(value)
          ? value.map((each, at) => (String(at) === key ? made : each))
          : { ...value, [key]: made },
      ),
    ),
  );
}

/** Requests of an operation with a text in each place that takes one. */
function requestsWith(operation: DocumentedOperation): ((text: string) => RequestOptions)[] {
  const good = goodRequest(operation);
  if (good.raw !== undefined)
    return [(text) => ({ ...good, raw: text }), (text) => ({ ...good, raw: `${good.raw}${text}` })];
  const json = { ...(good.json as object | undefined) };
  const known = placesOf(json, (made) => made);
  const others = operation.bodyFields
    .filter((field) => !Object.hasOwn(json, field))
    .map((field) => (text: string) => ({ ...json, [field]: text }));
  return [
    ...[...known, ...others].map((make) => (text: string) => ({ json: make(text) })),
    // Headers and addresses have a bound of their own.
    ...operation.queries.map((name) => (text: string) => ({
      query: { [name]: text.slice(0, SHORT) },
    })),
  ];
}

const takesText = (operation: DocumentedOperation) =>
  operation.method !== "DELETE" && operation.auth !== "none" && requestsWith(operation).length > 0;

test("nobody waits while hostile texts go through every operation", async ({ world }) => {
  const operations = world.operations.filter(takesText);
  expect(operations.length).toBeGreaterThan(40);
  expect(world.texts.length).toBeGreaterThanOrEqual(GENERATED);
  const answers = new Set<number>();
  for (const operation of operations)
    await test.step(operation.id, () => {
      const requests = requestsWith(operation);
      const ids = pathPrefixes(operation).map((place) => idAt(world.owner, place));
      const makers = new Map(world.texts.map((text, at) => [text, requests[at % requests.length]]));
      return expectNoWaits(world, async (text) => {
        const make = makers.get(text) ?? requests[0];
        const client = clientFor(world.owner, operation);
        const { status } = await callOperation(client, operation, ids, make?.(text) ?? {});
        answers.add(status);
      });
    });
  // They were read: none was turned away by a budget, and none broke anything.
  expect([...answers].filter((status) => status === 429 || status >= 500)).toEqual([]);
  expect(answers).toContain(202);
});

test("nobody waits while hostile texts sign in, sign up and ask for a new password", async ({
  serviceUrl,
  world,
}) => {
  const headers = () => ({ "x-forwarded-for": freshAddress(), origin: serviceUrl });
  const answers = new Set<number>();
  const json = async (path: string, body: object) => {
    const { status } = await fetch(`${serviceUrl}${path}`, {
      method: "POST",
      headers: { ...headers(), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    answers.add(status);
  };
  const asked = await fetch(`${serviceUrl}/api/auth/csrf`, { headers: headers() });
  const { csrfToken } = (await asked.json()) as { csrfToken: string }; // next-auth's answer
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  await expectNoWaits(world, (text) =>
    fetch(`${serviceUrl}/api/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      headers: { ...headers(), cookie },
      body: new URLSearchParams({ csrfToken, email: text, password: text, json: "true" }),
    }),
  );
  await expectNoWaits(world, async (text) => {
    await json("/api/console/sign-up", {
      email: text.slice(0, 6_000),
      password: text.slice(0, 100),
    });
    await json("/api/console/forgot-password", { email: text.slice(0, 6_000) });
  });
  expect([...answers].filter((status) => status === 404 || status >= 429)).toEqual([]);
  // Headers, as browsers and caches send them.
  await expectNoWaits(world, (text) => {
    const sent = text.replace(/[^\x20-\x7e]/g, " ").slice(0, 12_000);
    return world.owner.account.api.request("GET", "/v1/models", {
      headers: { "if-none-match": sent, accept: sent, "accept-language": sent },
    });
  });
});

test("nobody waits while the model of rules reads hostile requests, skills and files", async ({
  world,
}) => {
  const { api } = world.owner.account;
  const { workspace_id: workspace } = (await api.post("/v1/workspaces", { name: "Hostile" })).as(
    "Workspace",
  );
  const ended = async (runId: string) => {
    await until("the run's end", async () => {
      const { status } = (await api.get(`/v1/runs/${runId}`)).as("Run");
      return !["pending", "running", "requires_action"].includes(status);
    });
  };
  const texts = spread(world.texts, 60);
  await expectNoWaits({ ...world, texts }, async (text) => {
    const asked = { input: { request: text }, model: "builtin/offline", workspace_id: workspace };
    const answer = await api.post("/v1/runs", asked);
    await ended(answer.as("Run").run_id);
  });
  await expectNoWaits({ ...world, texts: spread(texts, 20) }, async (text) => {
    await api.post(`/v1/workspaces/${workspace}/files`, undefined, {
      raw: text,
      query: { path: "notes.md" },
      headers: { "content-type": "text/markdown" },
    });
    const request = "Who signs the contract in notes.md?";
    const asked = { input: { request }, model: "builtin/offline", workspace_id: workspace };
    await ended((await api.post("/v1/runs", asked)).as("Run").run_id);
  });
  await expectNoWaits({ ...world, texts: spread(texts, 30) }, async (text) => {
    const input = text.slice(0, 8_000);
    const made = await api.post("/v1/agents", { input, builder_model: "builtin/offline" });
    if (made.status === 202) await ended(made.as("Run").run_id);
    const edits = `/v1/agents/${world.owner.ids["/v1/agents/{agent_id}"]}/edits`;
    const edited = await api.post(edits, { input, builder_model: "builtin/offline" });
    if (edited.status === 202) await ended(edited.as("EditRun").run_id);
  });
});
