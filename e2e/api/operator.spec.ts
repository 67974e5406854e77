import { randomBytes } from "node:crypto";
import { AdminError, admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { expect, test } from "../support/test";

const email = () => `operator-${randomBytes(6).toString("hex")}@example.test`;

test("the operator's command makes an account whose key works, and prints one object", async ({ serviceUrl }) => {
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
  await expect(admin(["account", "create", "--email", address.toUpperCase(), "--password", "a long enough password"])).rejects.toThrow(
    AdminError,
  );
});

test("listed keys never show a key again", async () => {
  const address = email();
  const made = await admin(["account", "create", "--email", address, "--password", "a long enough password"]);
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
