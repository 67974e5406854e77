import { expect, test } from "vitest";
import { errorAnswer } from "@/lib/api/http/answer";

test.each([
  ["a lock that was waited for too long", "55P03"],
  ["a statement that took too long", "57014"],
  ["a transaction that stood idle", "25P03"],
  ["a full disk", "53100"],
  ["no connection left", "53300"],
  ["a deadlock", "40P01"],
  ["a server that ends", "57P01"],
  ["a refused connection", "ECONNREFUSED"],
  ["Prisma without a connection", "P1001"],
])(
  "%s is a passing state of the service, told without the database's words",
  async (_what, code) => {
    const answer = errorAnswer(
      Object.assign(new Error("canceling statement SELECT * FROM secrets"), { code }),
      "request",
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ error: "SERVICE_UNAVAILABLE" });
    expect(text).not.toContain("SELECT");
  },
);

test("what is wrong with a statement stays an internal error", () => {
  expect(
    errorAnswer(Object.assign(new Error("syntax error"), { code: "42601" }), "request").status,
  ).toBe(500);
});
