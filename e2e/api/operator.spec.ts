import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { AdminError, adminByProcess as admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { readWebhookSecret } from "../support/sessions";
import { expect, test } from "../support/test";

const email = () => `operator-${randomBytes(6).toString("hex")}@example.test`;

test("the operator's command makes an account whose key works, and prints one object", async ({
  serviceUrl,
}) => {
  const address = email();
  const made = await admin([
    "account",
    "create",
    "--email",
    address,
    "--password",
    "a long enough password",
    "--name",
    "Ada",
    "--credits",
    "12.5",
  ]);
  expect(made).toMatchObject({
    account_id: expect.any(String),
    email: address,
    api_key: expect.stringMatching(/^svc_sk_[0-9A-Za-z]{40,}$/),
  });
  const usage = await new ApiClient(serviceUrl, String(made.api_key)).get("/v1/account/usage");
  expect(usage.json()).toMatchObject({ credits: { available: 12.5 } });
});

test("an address is taken once, whatever its capitals", async () => {
  const address = email();
  await admin(["account", "create", "--email", address, "--password", "a long enough password"]);
  await expect(
    admin([
      "account",
      "create",
      "--email",
      address.toUpperCase(),
      "--password",
      "a long enough password",
    ]),
  ).rejects.toThrow(AdminError);
});

test("listed keys never show a key again", async () => {
  const address = email();
  const made = await admin([
    "account",
    "create",
    "--email",
    address,
    "--password",
    "a long enough password",
  ]);
  const listed = await admin(["key", "list", "--email", address]);
  expect(JSON.stringify(listed)).not.toContain(String(made.api_key));
  expect(JSON.stringify(listed)).toContain(String(made.api_key).slice(-4));
});

test("what the command cannot do ends with an error, not with a half-made thing", async () => {
  for (const args of [
    ["account", "create", "--email", "no-address", "--password", "a long enough password"],
    ["account", "update", "--email", email(), "--credits", "5"],
    ["nonsense"],
    ["key", "revoke", "--id", "42"],
  ]) {
    await expect(admin(args)).rejects.toThrow(AdminError);
  }
});

test("a password comes by standard input: no list of processes has it, and it signs in", async ({
  serviceUrl,
  request,
}) => {
  const address = email();
  const made = await admin(
    ["account", "create", "--email", address, "--password-stdin"],
    {},
    "words from a pipe\n",
  );
  expect(made.email).toBe(address);
  const secret = await readWebhookSecret(request, {
    email: address,
    password: "words from a pipe",
  });
  expect(secret).toMatch(/^whsec_/);
  await admin(
    ["account", "update", "--email", address, "--password-stdin"],
    {},
    "other words from a pipe",
  );
  expect((await request.get(`${serviceUrl}/api/console/v1/account/webhook-secret`)).status()).toBe(
    401,
  );
  await expect(
    admin(
      ["account", "update", "--email", address, "--password-stdin", "--password", "x"],
      {},
      "y",
    ),
  ).rejects.toThrow("give one of them");
});

test("the webhook secret is shown and rotated without browser, by key and by the operator", async ({
  newAccount,
}) => {
  const account = await newAccount();
  const read = async () => (await account.api.get("/v1/account/webhook-secret")).json();
  const first = await read();
  expect(first).toEqual({
    webhook_secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
    created_at: expect.any(String),
    previous_expires_at: null,
  });
  const show = ["webhook-secret", "show", "--email", account.email];
  expect(await admin(show)).toEqual({
    webhook_secret: Object(first).webhook_secret,
    previous_expires_at: null,
  });
  const rotated = await admin([
    "webhook-secret",
    "rotate",
    "--email",
    account.email,
    "--overlap-minutes",
    "60",
  ]);
  expect(rotated).toEqual({
    webhook_secret: expect.any(String),
    previous_expires_at: expect.any(String),
  });
  expect(rotated.webhook_secret).not.toBe(Object(first).webhook_secret);
  expect(await read()).toMatchObject(rotated);
});

test("the encryption key is rotated beside a server: all that is stored opens", async ({
  newAccount,
}) => {
  const account = await newAccount();
  const read = async () => (await account.api.get("/v1/account/webhook-secret")).json();
  const before = await read();
  for (const name of ["ONE", "TWO"]) {
    const rotated = await admin(["secrets", "rotate-key"]);
    expect(rotated).toMatchObject({
      key_id: expect.any(String),
      retired: [expect.any(String)],
      unreadable: 0,
    });
    expect(Number(rotated.webhook_secrets)).toBeGreaterThan(0);
    expect(await read()).toEqual(before);
    expect(
      (await account.api.post("/v1/secrets", { name, value: "x", allowed_hosts: ["a.example"] }))
        .status,
    ).toBe(201);
  }
  const last = await admin(["secrets", "rotate-key"]);
  expect(Number(last.secrets)).toBeGreaterThanOrEqual(2);
  expect(await read()).toEqual(before);
});

test("help opens no database and makes no folder of data", async () => {
  const dataDir = path.join(tmpdir(), `lathe-help-${randomBytes(6).toString("hex")}`);
  const environment = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["scripts/admin.mjs", "account", "update", "--help"],
    {
      env: environment,
    },
  );
  expect(stdout).toContain("--write-per-hour N");
  expect(existsSync(dataDir)).toBe(false);
});
