import { expect, test } from "vitest";
import { appSurface } from "@/lib/api/apps/app-surface";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { testService } from "@/lib/platform/test/test-service";

testService({
  API_BASE_HOST: "api.example.test",
  APP_BASE_HOST: "apps.example.test",
  IP_LIMIT_PER_MINUTE: "0",
});

const APP = "/api/v1/apps/01900000-0000-7000-8000-000000000000/runs";
// 401 shows that the surface is open: it asks for a key.
const call = async (surface: ApiSurface, host: string, path: string) =>
  (await dispatch(surface, new Request(`http://localhost${path}`, { headers: { host } }))).status;

test("each surface is open on its own host, and on another is as if not there", async () => {
  expect(await call(accountSurface, "api.example.test", "/v1/runs")).toBe(401);
  expect(await call(accountSurface, "apps.example.test", "/v1/runs")).toBe(404);
  expect(await call(appSurface, "apps.example.test", APP)).toBe(401);
  expect(await call(appSurface, "api.example.test", APP)).toBe(404);
  for (const host of ["localhost:3000", "", "10.0.0.1"]) {
    expect(await call(accountSurface, host, "/v1/runs")).toBe(404);
    expect(await call(appSurface, host, APP)).toBe(404);
  }
});

test("the app path has one app's runs and approvals, nothing of /v1", async () => {
  expect(await call(appSurface, "apps.example.test", "/api/v1/apps")).toBe(404);
  expect(await call(appSurface, "apps.example.test", "/v1/runs")).toBe(404);
  expect(
    await call(
      appSurface,
      "apps.example.test",
      `${APP}/01900000-0000-7000-8000-000000000000/trace`,
    ),
  ).toBe(404);
});

test("the removed list of models says where the models are listed", async () => {
  const answer = await dispatch(
    accountSurface,
    new Request("http://localhost/v1/models", { headers: { host: "api.example.test" } }),
  );
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    error: "NOT_FOUND",
    message: expect.stringMatching(/^GET \/v1\/models was removed\. .*\/v1\/openapi\.json/),
  });
});
