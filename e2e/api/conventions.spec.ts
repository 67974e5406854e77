import { Agent, request as httpRequest } from "node:http";
import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

const UNKNOWN_PATHS = [
  "/v1",
  "/v1/models",
  "/v1/nothing",
  "/v1/runs/x/y/z",
  `/v1/runs/${UNKNOWN_ID}/nothing`,
  "/v1/agents/%2e%2e/unknown",
  "/v1/%00",
];

const METHODS = [
  { path: "/v1/agents", allow: ["GET", "POST"], wrong: ["PUT", "PATCH", "DELETE", "OPTIONS"] },
  { path: `/v1/agents/${UNKNOWN_ID}`, allow: ["GET"], wrong: ["POST", "PUT", "OPTIONS"] },
  { path: "/v1/runs", allow: ["GET", "POST"], wrong: ["PUT", "PATCH", "DELETE", "OPTIONS"] },
  {
    path: `/v1/runs/${UNKNOWN_ID}`,
    allow: ["GET", "PATCH", "DELETE"],
    wrong: ["POST", "PUT", "OPTIONS"],
  },
  {
    path: `/v1/runs/${UNKNOWN_ID}/cancel`,
    allow: ["POST"],
    wrong: ["GET", "PUT", "DELETE", "OPTIONS"],
  },
  { path: `/v1/runs/${UNKNOWN_ID}/events`, allow: ["GET"], wrong: ["POST", "DELETE", "OPTIONS"] },
  { path: "/v1/realtime/runs", allow: ["POST"], wrong: ["GET", "PUT", "DELETE", "OPTIONS"] },
  { path: "/v1/account/usage", allow: ["GET"], wrong: ["POST", "PUT", "DELETE", "OPTIONS"] },
  { path: "/v1/workspaces", allow: ["GET", "POST"], wrong: ["PUT", "DELETE", "OPTIONS"] },
  {
    path: `/v1/workspaces/${UNKNOWN_ID}/files`,
    allow: ["GET", "POST"],
    wrong: ["PUT", "PATCH", "OPTIONS"],
  },
];

const BAD_AUTHORIZATIONS = [
  "",
  "Bearer",
  "Bearer ",
  "Bearer nonsense",
  "Basic dXNlcjpwYXNz",
  "Bearer svc_sk_",
  `Bearer svc_sk_${"A".repeat(49)}`,
  `Bearer svc_sk_${"0".repeat(10_000)}`,
  "Bearer appapi_0000000000000000000000000000000000000000000000000",
  "Bearer svc_sk_'; DROP TABLE accounts; --",
];

for (const path of UNKNOWN_PATHS) {
  test(`an unknown route answers 404 NOT_FOUND in JSON, with and without a key: ${path}`, async ({
    api,
    anonymous,
  }) => {
    for (const client of [api, anonymous]) {
      for (const method of ["GET", "POST"])
        expectError(await client.request(method, path), 404, "NOT_FOUND");
    }
  });
}

for (const { path, allow, wrong } of METHODS) {
  test(`a wrong method answers 405 with the allowed ones, before the key is read: ${path}`, async ({
    api,
    anonymous,
  }) => {
    for (const method of wrong) {
      for (const client of [api, anonymous]) {
        const response = await client.request(method, path);
        expectError(response, 405, "METHOD_NOT_ALLOWED");
        const allowed = (response.header("allow") ?? "").split(",").map((name) => name.trim());
        expect(allowed).toEqual(expect.arrayContaining(allow));
        expect(allowed).not.toContain(method);
      }
    }
  });
}

test("even TRACE is answered by the contract's 405", async ({ serviceUrl }) => {
  const { hostname, port } = new URL(serviceUrl);
  const answer = await new Promise<{
    status: number | undefined;
    allow: string | undefined;
    body: string;
  }>((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path: "/v1/runs", method: "TRACE" },
      (response) => {
        let body = "";
        response.on("data", (part: Buffer) => {
          body += part.toString("utf8");
        });
        response.on("end", () =>
          resolve({ status: response.statusCode, allow: response.headers.allow, body }),
        );
      },
    );
    request.on("error", reject).end();
  });
  expect(answer.status).toBe(405);
  expect(answer.allow).toContain("POST");
  expect(JSON.parse(answer.body)).toMatchObject({ error: "METHOD_NOT_ALLOWED" });
});

test("a refusal with a large body unread does not wedge its connection for the next", async ({
  serviceUrl,
}) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      };
      const request = httpRequest(
        new URL("/v1/runs", serviceUrl),
        { method: "POST", agent, headers },
        (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        },
      );
      request.on("error", reject).end(body);
    });
  try {
    expect([
      await post(" ".repeat(1_048_577)),
      await post("{}"),
      await post(" ".repeat(3_000_000)),
      await post("{}"),
    ]).toEqual([401, 401, 401, 401]);
  } finally {
    agent.destroy();
  }
});

test("a request for a whole address is answered like its path, and `*` is no route", async ({
  serviceUrl,
}) => {
  const { hostname, port, host } = new URL(serviceUrl);
  const ask = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({ hostname, port, method, path }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      request.on("error", reject).end();
    });
  expect(await ask("GET", `http://${host}/v1/openapi.json`)).toBe(200);
  expect(await ask("GET", `http://${host}/v1/account`)).toBe(401);
  expect(await ask("OPTIONS", "*")).toBe(404);
});

test("a NUL character in a query, in a name as in a value, is bad input", async ({ api }) => {
  for (const query of ["limit=%00", "metadata[%00]=a", "metadata[a]=%00", "any%00=1"])
    expectError(await api.get(`/v1/runs?${query}`), 400, "INVALID_INPUT");
});

test("a path with a slash too many is answered in JSON here, never by a redirect", async ({
  api,
}) => {
  const response = await api.get("/v1/runs/");
  expectError(response, 404, "NOT_FOUND");
});

for (const authorization of BAD_AUTHORIZATIONS) {
  test(`a missing, malformed or unknown key is 401: "${authorization.slice(0, 40)}"`, async ({
    anonymous,
  }) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    for (const { path, allow } of METHODS) {
      for (const method of allow) {
        const response = await anonymous.request(
          method,
          path,
          method === "POST" ? { headers, raw: "not even JSON" } : { headers },
        );
        expectError(response, 401, "AUTHENTICATION_REQUIRED");
      }
    }
  });
}

test("a key with one character changed is unknown", async ({ account, serviceUrl }) => {
  const key = account.apiKey;
  const changed = key.slice(0, 20) + (key[20] === "a" ? "b" : "a") + key.slice(21);
  expectError(
    await new ApiClient(serviceUrl, changed).get("/v1/runs"),
    401,
    "AUTHENTICATION_REQUIRED",
  );
});

test("an account's second key works beside the first, and is refused once it is revoked", async ({
  account,
  serviceUrl,
}) => {
  const made = await admin(["key", "create", "--email", account.email]);
  const second = new ApiClient(serviceUrl, String(made.api_key));
  expect((await second.get("/v1/runs")).status).toBe(200);
  await admin(["key", "revoke", "--id", String(made.key_id)]);
  expectError(await second.get("/v1/runs"), 401, "AUTHENTICATION_REQUIRED");
  expect((await account.api.get("/v1/runs")).status).toBe(200);
});

test("an app key is no key of the developer API", async ({ account, sharedAgent, serviceUrl }) => {
  const made = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    sharedAgent.agent_id,
  ]);
  expect(String(made.api_key)).toMatch(/^appapi_/);
  expectError(
    await new ApiClient(serviceUrl, String(made.api_key)).get("/v1/runs"),
    401,
    "AUTHENTICATION_REQUIRED",
  );
});

test("every answer has a request id of its own, good ones and bad ones", async ({
  api,
  anonymous,
}) => {
  const answers = await Promise.all([
    api.get("/v1/runs"),
    api.get("/v1/runs"),
    api.get("/v1/nothing"),
    anonymous.get("/v1/runs"),
    api.post("/v1/runs", {}),
  ]);
  const ids = answers.map((answer) => answer.header("x-request-id"));
  expect(ids.every(Boolean)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no answer invites another origin, and a preflight is refused", async ({ api, anonymous }) => {
  const headers = {
    origin: "https://elsewhere.test",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  const answers = [
    await api.get("/v1/runs", { headers }),
    await api.get("/v1/nothing", { headers }),
    await anonymous.request("OPTIONS", "/v1/runs", { headers }),
  ];
  for (const answer of answers) {
    const cors = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect(cors).toEqual([]);
  }
  expect(answers[2]?.status).toBe(405);
});

test("nothing in an answer's headers names the software behind it", async ({ api }) => {
  const response = await api.get("/v1/runs");
  expect(response.header("x-powered-by")).toBeNull();
});

test("every answer after a key carries both families of rate-limit headers, refusals too", async ({
  api,
  anonymous,
}) => {
  const answers = [
    await api.get("/v1/runs"),
    await api.get("/v1/runs/42"),
    await api.get(`/v1/runs/${UNKNOWN_ID}`),
    await api.post("/v1/runs", { surprise: 1 }),
  ];
  for (const answer of answers) {
    expect(answer.header("ratelimit-policy")).toMatch(/q=\d+/);
    expect(answer.header("ratelimit-policy")).toMatch(/w=60/);
    expect(answer.header("ratelimit")).toMatch(/r=\d+/);
    expect(answer.header("ratelimit")).toMatch(/t=\d+/);
    for (const name of ["limit", "remaining", "reset"])
      expect(answer.header(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  expect((await anonymous.get("/v1/runs")).header("x-ratelimit-limit")).toBeNull();
});

test("the interface description is public, of version 1.0.0, and lists the routes", async ({
  anonymous,
}) => {
  const response = await anonymous.get("/v1/openapi.json");
  expect(response.status).toBe(200);
  const document = response.json() as {
    openapi: string;
    info: { version: string };
    paths: Record<string, Record<string, unknown>>;
  }; // an OpenAPI document
  expect(document.openapi).toMatch(/^3\.1/);
  expect(document.info.version).toBe("1.0.0");
  expect(Object.keys(document.paths["/v1/runs"] ?? {})).toEqual(
    expect.arrayContaining(["get", "post"]),
  );
  for (const path of [
    "/v1/agents",
    "/v1/agents/{agent_id}",
    "/v1/runs/{run_id}",
    "/v1/runs/{run_id}/cancel",
    "/v1/runs/{run_id}/events",
  ]) {
    expect(Object.keys(document.paths)).toContain(path);
  }
  for (const path of ["/v1/realtime/runs", "/v1/account/usage", "/v1/workspaces"])
    expect(Object.keys(document.paths)).toContain(path);
});

test("the health route says that the service, its database and its engine are well", async ({
  anonymous,
}) => {
  const response = await anonymous.get("/api/health");
  expect(response.status).toBe(200);
  expect(response.json()).toEqual({ status: "ok", database: "ok", engine: "ok" });
  expect(response.header("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});
