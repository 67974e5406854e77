import { readdirSync } from "node:fs";
import type { APIRequestContext, APIResponse } from "@playwright/test";
import { signInByRequest } from "../support/sessions";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

const NO_PAGE = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Every address that the console renders, with an id of nothing in place of each parameter. */
const PAGES = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map(
    (file) =>
      `/${file}`.replace(/\/page\.tsx$|\/\([^)]+\)/g, "").replace(/\[+[^\]]+\]+/g, UNKNOWN_ID) ||
      "/",
  );

const nonceOf = (response: APIResponse) =>
  /'nonce-([^']+)'/.exec(response.headers()["content-security-policy"] ?? "")?.[1] ?? "";

function expectSafeguards(response: APIResponse): void {
  expect(response.headers(), response.url()).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "permissions-policy": expect.stringContaining("camera=()"),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": new URL(response.url()).pathname.startsWith("/api/artifacts/")
      ? "cross-origin"
      : "same-origin",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(response.headers()["x-powered-by"]).toBeUndefined();
}

/** The address of one of the page's scripts. */
async function scriptOf(request: APIRequestContext): Promise<string> {
  return (
    /src="(\/_next\/static\/[^"]+\.js)/.exec(await (await request.get("/sign-in")).text())?.[1] ??
    ""
  );
}

test("answers that are no pages let a browser run and load nothing, whatever their status", async ({
  request,
}) => {
  const asked: [path: string, status: number][] = [
    ["/v1/openapi.json", 200],
    ["/v1/agents", 401],
    ["/v1/nothing", 404],
    ["/api/v1/apps/nothing", 404],
    ["/api/console/keys", 401],
    ["/api/console/nothing", 404],
    ["/api/nothing", 404],
    ["/api/auth/csrf", 200],
    ["/api/auth/providers", 200],
    ["/api/auth/nothing", 400],
    ["/api/health", 200],
    [`/api/artifacts/${UNKNOWN_ID}`, 404],
    [await scriptOf(request), 200],
    ["/_next/static/nothing.js", 404],
  ];
  for (const [path, status] of asked) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect(response.status(), path).toBe(status);
    expectSafeguards(response);
    expect(response.headers()["content-security-policy"], path).toBe(NO_PAGE);
    expect(response.headers()["content-type"] ?? "", path).not.toContain("html");
  }
});

test("pages that nobody may see yet, redirects and missing ones carry the policy of pages", async ({
  request,
}) => {
  for (const [path, status] of [
    ["/agents", 307],
    ["/nothing", 404],
    ["/sign-in", 200],
    ["/v10", 404],
    ["/icon.svg", 200],
  ] as const) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect(response.status(), path).toBe(status);
    expectSafeguards(response);
    expect(nonceOf(response), path).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  }
});

test("every page is rendered anew: each script and style has the nonce, none a handler", async ({
  request,
  account,
}) => {
  await signInByRequest(request, account);
  expect(PAGES).toEqual(
    expect.arrayContaining(["/", "/sign-in", "/agents", `/agents/${UNKNOWN_ID}`]),
  );
  for (const path of PAGES) {
    const headers = {
      "x-nonce": "c3BvaWxlZA==",
      "content-security-policy": "script-src 'nonce-c3BvaWxlZA=='",
    };
    const [one, other] = [
      await request.get(path, { maxRedirects: 0, headers }),
      await request.get(path, { maxRedirects: 0 }),
    ];
    expectSafeguards(one);
    expect(nonceOf(one), path).not.toBe(nonceOf(other));
    const policy = one.headers()["content-security-policy"] ?? "";
    expect(/script-src ([^;]*)/.exec(policy)?.[1], path).toBe(
      `'self' 'nonce-${nonceOf(one)}' 'strict-dynamic'`,
    );
    expect(policy, path).not.toContain("unsafe-eval");
    expect(/style-src ([^;]*)/.exec(policy)?.[1], path).not.toContain("unsafe-inline");
    if (one.status() >= 300 && one.status() < 400) continue;
    expect(one.headers()["cache-control"], path).toContain("no-store");
    const html = await one.text();
    const elements = [...html.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
    expect(elements.length, path).toBeGreaterThan(3);
    expect(
      elements.filter((tag) => !tag.includes(` nonce="${nonceOf(one)}"`)),
      path,
    ).toEqual([]);
    expect(html.match(/<[a-z][^>]*\son[a-z]+=/gi), path).toBeNull();
    expect(html, path).not.toContain("c3BvaWxlZA");
  }
});

test("a workspace's file is a sandboxed download at the console's address as at the API's", async ({
  request,
  account,
}) => {
  await signInByRequest(request, account);
  const { workspace_id } = (await account.api.post("/v1/workspaces", { name: "hostile files" })).as(
    "Workspace",
  );
  const raw = "<script>document.title = 'ran'</script>";
  const uploaded = await account.api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
    raw,
    query: { path: "page.html" },
    headers: { "content-type": "text/html" },
  });
  const { file_id } = uploaded.as("WorkspaceFile");
  const path = `/v1/workspaces/${workspace_id}/files/${file_id}/content`;
  for (const address of [path, `/api/console${path}`]) {
    const response = await request.get(address, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(response.status(), address).toBe(200);
    expect(await response.text()).toBe(raw);
    expectSafeguards(response);
    expect(response.headers()["content-disposition"], address).toMatch(/^attachment;/);
    expect(response.headers()["content-security-policy"], address).toBe(NO_PAGE);
  }
});
