import { expect, test } from "vitest";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { BEFORE_SIGN_IN, ruleOf } from "@/lib/server/path-rules";

test("the API's two surfaces, and nothing that only looks like them, go past Next", () => {
  for (const url of ["/v1", "/v1/", "/v1/runs?limit=1", "/v1?x", "/api/v1/apps/1/runs"])
    expect([url, ruleOf("GET", url).kind]).toEqual([url, "api"]);
  for (const url of [
    "/",
    "/v10",
    "/v1x/runs",
    "/api/v1/application",
    "/api/console/v1",
    "//v1/runs",
    "/V1/runs",
  ])
    expect(ruleOf("GET", url).kind, url).not.toBe("api");
});

test("the metrics are no page, and no other path is taken for them", () => {
  for (const [url, kind] of [
    ["/metrics", "route"],
    ["/metrics?x=1", "route"],
    ["/metrics/", "route"],
    ["/metricsx", "page"],
    ["/api/ready", "route"],
    ["/.well-known/oauth-protected-resource/mcp", "route"],
    ["/client-metadata.json", "route"],
    ["/client-metadata.jsonx", "page"],
  ])
    expect([url, ruleOf("GET", String(url)).kind]).toEqual([url, kind]);
});

test("whatever the console takes before anybody has signed in has a small body", () => {
  const open = CONSOLE_OPERATIONS.filter(({ auth, body }) => auth === "none" && body).map(
    ({ path }) => path,
  );
  expect([...BEFORE_SIGN_IN].sort()).toEqual(open.sort());
  for (const path of [...open, "/api/auth", "/api/auth/callback/credentials?x=1"])
    expect(ruleOf("POST", path).bodyMaxBytes, path).toBe(8192);
  for (const path of ["/api/authx", "/api/console/profile", "/api/console/sign-upx"])
    expect(ruleOf("POST", path).bodyMaxBytes, path).toBe(1_048_576);
});
