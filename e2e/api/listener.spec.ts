import { createConnection } from "node:net";
import { Readable } from "node:stream";
import { freshAddress } from "../support/fresh-address";
import { expect, test } from "../support/test";

// What every request passes before anybody asks who sends it. The clocks are moved in
// lib/server/listener.test.ts.

/** Sends the bytes as they stand and returns all that comes back until the other side closes. */
function sendRaw(serviceUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(serviceUrl);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = createConnection({ host: hostname, port: Number(port) }, () =>
      socket.write(text),
    );
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}

// With the embedded executor it is not there; with an Inngest server it answers only what that has
// signed.
const hasServer = process.env.E2E_ENGINE === "inngest";

test("the engine's path gives nobody anything, whatever is asked, and touches no run", async ({
  api,
  anonymous,
  script,
}) => {
  const one = await script({ text: "waits", hold_first: true });
  const { run_id } = (await api.post("/v1/runs", { input: { text: one.mark } })).as("Run");
  const functions = [
    "execute-run",
    "execute-run-failure",
    "deliver-webhook",
    "send-notification",
    "fire-schedules",
    "sweep",
  ];
  const json = {
    ctx: { run_id: "r", attempt: 0 },
    event: { data: { run_id, event: { data: { run_id } } } },
    events: [],
    steps: {},
  };
  for (const name of functions)
    for (const method of ["GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]) {
      const options = {
        query: { fnId: `lathe-${name}`, stepId: "step" },
        headers: { "x-inngest-sync-kind": "in_band" },
      };
      const answer = await anonymous.request(
        method,
        "/api/inngest",
        method === "GET" ? options : { ...options, json },
      );
      const refusal = ["GET", "PUT", "POST"].includes(method)
        ? [401, "AUTHENTICATION_REQUIRED"]
        : [405, "METHOD_NOT_ALLOWED"];
      const [status, error] = hasServer ? refusal : [404, "NOT_FOUND"];
      expect([name, method, answer.status, answer.json()]).toMatchObject([
        name,
        method,
        status,
        { error },
      ]);
      expect(answer.header("x-request-id")).toBeTruthy();
    }
  await expect
    .poll(async () => (await api.get(`/v1/runs/${run_id}`)).as("Run").status)
    .toBe("running");
  await api.post(`/v1/runs/${run_id}/cancel`);
});

test("a body too large is refused before sign-in, said or in chunks", async ({ serviceUrl }) => {
  // A page that reads no body is answered before a body without a length has come.
  for (const [target, bytes] of [
    ["/api/auth/callback/credentials", 8 * 1024 + 1],
    ["/api/auth/signout", 2 * 1024 * 1024],
    ["/api/console/sign-up", 8 * 1024 + 1],
    ["/api/console/verify-email", 8 * 1024 + 1],
    ["/api/console/forgot-password", 8 * 1024 + 1],
    ["/api/console/reset-password", 8 * 1024 + 1],
    ["/sign-in", 1024 * 1024 + 1],
  ] as const)
    for (const chunked of target === "/sign-in" ? [false] : [false, true]) {
      const bytesOf = new Uint8Array(bytes);
      const body = chunked
        ? Readable.toWeb(Readable.from([bytesOf.subarray(0, 1000), bytesOf.subarray(1000)]))
        : bytesOf;
      const headers = {
        "x-forwarded-for": freshAddress(),
        "content-type": "application/json",
        origin: serviceUrl,
      };
      // The DOM's type does not know `duplex`.
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      expect([target, chunked, (await fetch(`${serviceUrl}${target}`, init)).status]).toEqual([
        target,
        chunked,
        413,
      ]);
    }
});

test("no Host moves the path that is routed", async ({ serviceUrl, api }) => {
  const ask = (target: string, host: string) =>
    sendRaw(
      serviceUrl,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${api.key}\r\n` +
        `X-Forwarded-For: ${freshAddress()}\r\nConnection: close\r\n\r\n`,
    );
  for (const host of ["x/v1/account#", "x/v1/account?", "a b", "user@localhost"]) {
    const answer = await ask("/v1/nothing", host);
    expect([host, answer.slice(0, 12)]).toEqual([host, "HTTP/1.1 400"]);
    expect(answer).toContain('"error":"INVALID_INPUT"');
  }
  expect(await ask("http://x%2fv1%2faccount%23/v1/nothing", "localhost")).toMatch(/^HTTP\/1.1 400/);
  expect(await ask("/v1/account", "api.example.com:8080")).toMatch(/^HTTP\/1.1 200/);
});

test("methods that no route has are refused on pages as the API does", async ({ serviceUrl }) => {
  for (const target of ["/", "/agents", "/api/inngest", "/api/health"]) {
    const answer = await sendRaw(
      serviceUrl,
      `TRACE ${target} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${freshAddress()}\r\n` +
        "Connection: close\r\n\r\n",
    );
    expect([target, answer.slice(0, 12)]).toEqual([target, "HTTP/1.1 404"]);
  }
});
