import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { LatheWebhookError, verifyWebhook } from "./lathe-client";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret of thirty-two by.").toString("base64")}`;
const BODY =
  '{"runId":"r","status":"completed","threadId":"c","conversationId":"c","result":{"text":"Grüße ' +
  '🌍","artifacts":[]}}';
const AT = new Date("2026-01-01T00:00:00Z");

/** A call as the reference library signs it. */
function signed(body = BODY, secrets = [SECRET], at = AT) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign("run_1", at, body));
  return {
    "webhook-id": "run_1",
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": signatures.join(" "),
  };
}

type Call = Parameters<typeof verifyWebhook>[0];
const verify = (call: Partial<Call> = {}) =>
  verifyWebhook({ payload: BODY, headers: signed(), secret: SECRET, now: AT.getTime(), ...call });
const faultOf = (call: Partial<Call>) =>
  verify(call).then(
    () => "none",
    (error: unknown) => (error instanceof LatheWebhookError ? error.fault : error),
  );

test("the vector of the standard is verified", async () => {
  const vector = {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    payload: '{"test": 2432232314}',
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    now: 1614265330_000,
  };
  // Signed, but not by this service: it has no run.
  expect(await faultOf(vector)).toBe("bad_payload");
  expect(await faultOf({ ...vector, payload: '{"test": 2432232315}' })).toBe("bad_signature");
});

test("a genuine call gives its payload, text and bytes, by any server's headers", async () => {
  const expected = JSON.parse(BODY);
  expect(await verify()).toEqual(expected);
  expect(await verify({ payload: Buffer.from(BODY) })).toEqual(expected);
  expect(await verify({ headers: new Headers(signed()) })).toEqual(expected);
  const shouted = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]);
  expect(await verify({ headers: Object.fromEntries(shouted) })).toEqual(expected);
});

test("what the reference library signs is verified, whatever the body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (data) => {
      const payload = JSON.stringify({
        runId: "r",
        status: "completed",
        result: { text: "", artifacts: [], data },
      });
      expect(await verify({ payload, headers: signed(payload) })).toEqual(JSON.parse(payload));
    }),
  );
});

test("while secrets are exchanged either end may be ahead of the other", async () => {
  expect(await faultOf({ headers: signed(BODY, [OTHER, SECRET]) })).toBe("none");
  expect(await faultOf({ headers: signed(BODY, [OTHER]), secret: [SECRET, OTHER] })).toBe("none");
  expect(await faultOf({ headers: signed(BODY, [OTHER]) })).toBe("bad_signature");
});

test("a changed call is refused: by its body, id, time or signature", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(Buffer.byteLength(BODY) - 1),
      fc.integer({ min: 1, max: 255 }),
      async (place, flip) => {
        const payload = Buffer.from(BODY);
        payload[place] = (payload[place] ?? 0) ^ flip;
        expect(await faultOf({ payload })).toBe("bad_signature");
      },
    ),
  );
  expect(await faultOf({ headers: { ...signed(), "webhook-id": "run_2" } })).toBe("bad_signature");
  expect(
    await faultOf({
      headers: { ...signed(), "webhook-timestamp": String(AT.getTime() / 1000 + 1) },
    }),
  ).toBe("bad_signature");
  const { "webhook-signature": signature } = signed();
  for (const forged of [
    signature.slice(3),
    signature.replace("v1,", "v2,"),
    signature.replace("v1,", "v1a,"),
    "v1,",
    "v1,!",
    `v1,${"A".repeat(43)}=`,
    signature.slice(0, -4),
  ])
    expect(await faultOf({ headers: { ...signed(), "webhook-signature": forged } })).toBe(
      "bad_signature",
    );
});

test("a call is good for five minutes in either direction", async () => {
  const at = (seconds: number) => faultOf({ now: AT.getTime() + seconds * 1000 });
  expect([await at(300), await at(-300), await at(301), await at(-301)]).toEqual([
    "none",
    "none",
    "too_old",
    "too_new",
  ]);
  expect(await faultOf({ now: AT.getTime() + 301_000, toleranceSeconds: 600 })).toBe("none");
});

test("headers missing, twice or no time are refused by name", async () => {
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    expect(await faultOf({ headers: { ...signed(), [name]: undefined } })).toBe("missing_header");
    expect(await faultOf({ headers: { ...signed(), [name]: ["a", "b"] } })).toBe("missing_header");
  }
  for (const time of ["soon", "1e9", "-1", "1.5", "123456789012345"])
    expect(await faultOf({ headers: { ...signed(), "webhook-timestamp": time } })).toBe(
      "bad_timestamp",
    );
});

test("a header full of signatures costs no more than ten of them", async () => {
  const many = `${"v1,AAAA ".repeat(100_000)}${signed()["webhook-signature"]}`;
  const verify = vi.spyOn(crypto.subtle, "verify");
  expect(await faultOf({ headers: { ...signed(), "webhook-signature": many } })).toBe(
    "bad_signature",
  );
  expect(verify).toHaveBeenCalledTimes(10);
  verify.mockRestore();
});

test("a signed body that is no webhook of a run is refused", async () => {
  for (const payload of ["", "null", "[]", '{"runId":"r"}', "{"])
    expect(await faultOf({ payload, headers: signed(payload) })).toBe("bad_payload");
});

test("a secret that is none is the receiver's mistake, not the caller's", async () => {
  for (const secret of ["", "whsec_", "whsec_***", "0123456789abcdef", []])
    expect(await faultOf({ secret })).toBeInstanceOf(TypeError);
});
