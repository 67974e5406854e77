import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createWebhookSecret, signWebhook } from "@/lib/platform/crypto/webhook-signature";

describe("signWebhook", () => {
  it("is verified by the library of Standard Webhooks, whatever the body", () => {
    const secret = createWebhookSecret();
    fc.assert(
      fc.property(fc.json(), (body) => {
        const headers = signWebhook({ id: "msg_1", at: new Date(), body, secrets: [secret] });
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  it("is verified with the old and the new secret while they overlap, no other", () => {
    const [old, fresh] = [createWebhookSecret(), createWebhookSecret()];
    const headers = signWebhook({ id: "run", at: new Date(), body: "{}", secrets: [fresh, old] });
    expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [old, fresh])
      expect(new Webhook(secret).verify("{}", headers)).toEqual({});
    expect(() => new Webhook(createWebhookSecret()).verify("{}", headers)).toThrow();
  });

  it("covers the id, the time and the body", () => {
    const secret = createWebhookSecret();
    const headers = signWebhook({ id: "run", at: new Date(), body: "{}", secrets: [secret] });
    const other = String(Number(headers["webhook-timestamp"]) + 1);
    for (const [body, changed] of [
      ["{ }", {}],
      ["{}", { "webhook-id": "other" }],
      ["{}", { "webhook-timestamp": other }],
    ] as const) {
      expect(() => new Webhook(secret).verify(body, { ...headers, ...changed })).toThrow();
    }
  });

  it("signs with nothing that is no secret", () => {
    for (const secrets of [[], [""], ["whsec_"], ["secret"]])
      expect(() => signWebhook({ id: "a", at: new Date(), body: "", secrets })).toThrow(TypeError);
    expect(() =>
      signWebhook({ id: "a.b", at: new Date(), body: "", secrets: [createWebhookSecret()] }),
    ).toThrow(TypeError);
  });
});

describe("createWebhookSecret", () => {
  it("is whsec_ and 32 bytes, another each time", () => {
    const secrets = Array.from({ length: 50 }, createWebhookSecret);
    for (const secret of secrets)
      expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
    expect(new Set(secrets).size).toBe(50);
  });
});
