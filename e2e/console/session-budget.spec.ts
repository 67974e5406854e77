import { admin } from "../support/admin";
import { expect, openConsole, test } from "../support/console-test";

test("a session's writes and starts count with the keys'; its reads have a budget", async ({
  page,
  newAccount,
  serviceUrl,
}) => {
  const account = await newAccount({ writePerHour: 2, runsPerMinute: 2 });
  await openConsole(page, account, "/workspaces");
  const headers = { origin: serviceUrl };
  const post = (path: string, data: object) =>
    page.request.post(`/api/console/v1/${path}`, { headers, data });
  const write = () => post("workspaces", { name: "w" });
  const start = () => post("runs", { input: { text: "x" } });
  const read = await page.request.get("/api/console/v1/workspaces");
  expect(read.headers()).toMatchObject({
    "x-ratelimit-limit": "300",
    "ratelimit-policy": '"minute";q=300;w=60',
  });
  expect((await account.api.post("/v1/workspaces", { name: "by key" })).status).toBe(201);
  expect((await write()).status()).toBe(201);
  const refused = await write();
  expect(refused.status()).toBe(429);
  expect(await refused.json()).toMatchObject({
    error: "RATE_LIMITED",
    retryAfterSeconds: expect.any(Number),
  });
  expect((await account.api.post("/v1/workspaces", { name: "by key" })).status).toBe(429);
  expect((await account.api.post("/v1/runs", { input: {} })).status).toBe(202);
  expect((await start()).status()).toBe(202);
  const late = await start();
  expect([late.status(), late.headers()["x-ratelimit-limit"]]).toEqual([429, "2"]);
  expect(Number(late.headers()["retry-after"])).toBeGreaterThanOrEqual(1);
});

test("the console says what a limit refused, and keeps what was typed", async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  await openConsole(page, account, "/workspaces");
  await admin(["account", "update", "--email", account.email, "--write-per-hour", "0"]);
  await expect(async () => {
    await page.getByRole("button", { name: "Create workspace" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 10_000 });
  }).toPass();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Figures");
  await dialog.getByRole("button", { name: "Create workspace" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    "This account may write 0 times an hour. Nothing was changed",
  );
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("Figures");
  await admin([
    "account",
    "update",
    "--email",
    account.email,
    "--write-per-hour",
    "10",
    "--max",
    "workspaces=0",
  ]);
  await dialog.getByRole("button", { name: "Create workspace" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    "An account may have at most 0 workspaces. Nothing was stored. Delete one first.",
  );
});
