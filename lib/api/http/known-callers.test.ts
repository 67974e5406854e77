import { beforeEach, expect, test } from "vitest";
import { findCaller, knownCallers, noteCaller } from "@/lib/api/http/bearer-key";
import { testService } from "@/lib/platform/test/test-service";

const service = testService();
beforeEach(() => service.give(knownCallers, new Map()));

const key = (authorization: string) => ({ authorization, cookie: undefined });
const session = (cookie: string) => ({ authorization: undefined, cookie });

test("credentials stand for the account that they were accepted for, made-up ones for none", () => {
  noteCaller(key("Bearer svc_sk_1"), "one");
  noteCaller(session("a=b; next-auth.session-token=abc; c=d"), "two");
  expect(findCaller(key("Bearer svc_sk_1"))).toBe("one");
  expect(findCaller(session("next-auth.session-token=abc; next-auth.csrf-token=new"))).toBe("two");
  for (const none of [
    key("Bearer made-up"),
    key(""),
    session(""),
    session("x-next-auth.session-token=abc"),
    session("session=abc"),
  ])
    expect(findCaller(none)).toBeNull();
});

test("a session's cookie on https, and one in several pieces, is one credential", () => {
  noteCaller(
    session("__Secure-next-auth.session-token.0=ab; __Secure-next-auth.session-token.1=cd"),
    "three",
  );
  expect(
    findCaller(
      session("x=y; __Secure-next-auth.session-token.0=ab; __Secure-next-auth.session-token.1=cd"),
    ),
  ).toBe("three");
});

test("as many as are remembered, the oldest are forgotten one by one", () => {
  for (let n = 0; n <= 20_000; n++) noteCaller(key(`Bearer ${n}`), `${n}`);
  expect([
    findCaller(key("Bearer 0")),
    findCaller(key("Bearer 1")),
    findCaller(key("Bearer 20000")),
  ]).toEqual([null, "1", "20000"]);
});
