import { verifyWebhook } from "@/lib/client/lathe-client";
import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { startRun } from "../support/runs";
import { expect, test } from "../support/test";

test("a backend reads the secret and verifies a webhook by it, without a browser", async ({
  newAccount,
  script,
  inbox,
}) => {
  const account = await newAccount();
  const { webhook_secret: secret } = await account.client.get("/v1/account/webhook-secret");
  const one = await script({ text: "news" });
  await startRun(account.api, { input: { text: one.mark }, webhook_url: inbox.url });
  const [call] = await inbox.waitFor(1);
  expect(
    await verifyWebhook({ payload: call?.body ?? "", headers: call?.headers ?? {}, secret }),
  ).toMatchObject({ status: "completed" });
});

test("during the overlap both secrets verify; 0 ends the old one; a day is the default", async ({
  newAccount,
  script,
  inbox,
}) => {
  const { api } = await newAccount();
  const secretOf = (body: unknown) => String(Object(body).webhook_secret);
  const before = secretOf((await api.get("/v1/account/webhook-secret")).json());
  const rotated = await api.request("POST", "/v1/account/webhook-secret/rotate", {});
  expect(rotated.status).toBe(200);
  const left =
    Date.parse(Object(rotated.json()).previous_expires_at) -
    Date.parse(Object(rotated.json()).created_at);
  expect(Math.round(left / 3_600_000)).toBe(24);
  const one = await script({ text: "news" });
  await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  const [call] = await inbox.waitFor(1);
  for (const secret of [before, secretOf(rotated.json())])
    expect(
      await verifyWebhook({ payload: call?.body ?? "", headers: call?.headers ?? {}, secret }),
    ).toMatchObject({ status: "completed" });
  const last = (await api.post("/v1/account/webhook-secret/rotate", { overlap_minutes: 0 })).json();
  // Of the first rotation's overlap, which goes on.
  expect(Object(last).previous_expires_at).not.toBe(null);
  const two = await script({ text: "more" });
  await startRun(api, { input: { text: two.mark }, webhook_url: inbox.url });
  const calls = await inbox.waitFor(2);
  const verified = (secret: string) =>
    verifyWebhook({ payload: calls[1]?.body ?? "", headers: calls[1]?.headers ?? {}, secret });
  expect(await verified(secretOf(last))).toMatchObject({ status: "completed" });
  await expect(verified(secretOf(rotated.json()))).rejects.toThrow();
});

test("the secret is no cache's and no app key's, and each account has its own", async ({
  newAccount,
  newAgent,
  serviceUrl,
}) => {
  const [mine, theirs] = [await newAccount(), await newAccount()];
  const answer = await mine.api.get("/v1/account/webhook-secret");
  expect(answer.header("cache-control")).toBe("no-store");
  const other = await theirs.api.get("/v1/account/webhook-secret");
  expect(Object(other.json()).webhook_secret).not.toBe(Object(answer.json()).webhook_secret);
  const agent = await newAgent({}, mine.api);
  const app = await admin(["key", "create", "--email", mine.email, "--agent", agent.agent_id]);
  const appClient = new ApiClient(serviceUrl, String(app.api_key));
  for (const refused of [
    await appClient.get("/v1/account/webhook-secret"),
    await appClient.post("/v1/account/webhook-secret/rotate", {}),
  ])
    expectError(refused, 401, "AUTHENTICATION_REQUIRED");
  for (const overlap_minutes of [-1, 43_201, 1.5, "60"])
    expectError(
      await mine.api.post("/v1/account/webhook-secret/rotate", { overlap_minutes }),
      400,
      "INVALID_INPUT",
    );
  expect((await mine.api.get("/v1/account/webhook-secret")).json()).toEqual(answer.json());
});
