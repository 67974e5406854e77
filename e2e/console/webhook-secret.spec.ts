import { expect, test } from "../support/console-test";

test("the owner sees the webhook signing secret, and rotates it with an overlap", async ({
  signedIn: { page },
  serviceUrl,
}) => {
  const headers = { origin: serviceUrl };
  const first = await (await page.request.get("/api/console/v1/account/webhook-secret")).json();
  expect(first).toMatchObject({
    webhook_secret: expect.stringMatching(/^whsec_/),
    previous_expires_at: null,
  });
  expect(await (await page.request.get("/api/console/v1/account/webhook-secret")).json()).toEqual(
    first,
  );
  const rotated = await page.request.post("/api/console/v1/account/webhook-secret/rotate", {
    data: { overlap_minutes: 60 },
    headers,
  });
  expect(rotated.status()).toBe(200);
  const second = await rotated.json();
  expect(second.webhook_secret).not.toBe(first.webhook_secret);
  expect(Date.parse(second.previous_expires_at)).toBeGreaterThan(Date.now());
  expect(
    (
      await page.request.post("/api/console/v1/account/webhook-secret/rotate", {
        data: { overlap_minutes: -1 },
        headers,
      })
    ).status(),
  ).toBe(400);
  const foreign = { data: { overlap_minutes: 0 }, headers: { origin: "https://evil.test" } };
  expect(
    (await page.request.post("/api/console/v1/account/webhook-secret/rotate", foreign)).status(),
  ).toBe(401);
  expect(
    (await (await page.request.get("/api/console/v1/account/webhook-secret")).json())
      .webhook_secret,
  ).toBe(second.webhook_secret);
});
