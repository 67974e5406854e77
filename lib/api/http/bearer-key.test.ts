import { expect, test } from "vitest";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import { createApiKey } from "@/lib/platform/crypto/api-key";

const refused = (authorization: string | null, kind: "account" | "app" = "account") => {
  const request = new Request("http://localhost/v1/runs", {
    headers: authorization === null ? {} : { authorization },
  });
  const { code, message, headers } = keyRefusal(request, kind);
  expect({ code, headers }).toEqual({
    code: "AUTHENTICATION_REQUIRED",
    headers: { "WWW-Authenticate": "Bearer" },
  });
  return message;
};

test("a 401 tells missing headers, wrong schemes, wrong and mistyped keys apart", () => {
  const key = createApiKey("account");
  expect(refused(null)).toMatch(
    /^This request has no Authorization header\. Send an account key: Authorization: Bearer svc_sk_/,
  );
  expect(refused("")).toMatch(/^This request has no Authorization header/);
  expect(refused(`Basic ${key}`)).toMatch(/^The Authorization header does not begin with Bearer\./);
  expect(refused(key)).toMatch(/^The Authorization header does not begin with Bearer\./);
  expect(refused("Bearer")).toMatch(/^The Authorization header must hold one key/);
  expect(refused("Bearer two words")).toMatch(/^The Authorization header must hold one key/);
  expect(refused("Bearer sk-other")).toBe(
    "This is no key of this service: an account key begins with svc_sk_.",
  );
  expect(refused(`Bearer ${createApiKey("app")}`)).toBe(
    "This is an app key, which works under /api/v1/apps/{agent id} only. Here an account key is " +
      "needed: svc_sk_…",
  );
  expect(refused(`Bearer ${key}`, "app")).toBe(
    "This is an account key, which works under /v1 only. Here an app key is needed: appapi_…",
  );
  const mistyped = key.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const text of [mistyped, key.slice(0, -1), `${key}x`])
    expect(refused(`Bearer ${text}`)).toBe(
      "This key was not copied whole, or was mistyped: its checksum does not fit. Copy it again.",
    );
});

test("of every well-formed key the same is said, and no message repeats what was sent", () => {
  const messages = [createApiKey("account"), createApiKey("account")].map((key) =>
    refused(`bearer   ${key} `),
  );
  expect(new Set(messages)).toEqual(
    new Set([
      "This key is not valid: it is unknown, has expired or was revoked. Make one in the " +
        "console, under API keys.",
    ]),
  );
  expect(refused("Bearer top-secret-typed-here")).not.toContain("top-secret");
});

test("a key is read whatever the case of the scheme and the blanks around it", () => {
  const read = (authorization: string) =>
    bearerKey(new Request("http://localhost/", { headers: { authorization } }));
  expect([
    read("Bearer abc"),
    read("bearer   abc "),
    read("Basic abc"),
    read("Bearer a b"),
  ]).toEqual(["abc", "abc", "", ""]);
});
