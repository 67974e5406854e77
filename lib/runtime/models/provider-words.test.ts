import { APICallError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { envSchema } from "@/lib/env";
import { createOperatorRedactor } from "@/lib/platform/redact-operator";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { providerWords, toModelCallProblem } from "@/lib/runtime/models/model-call";

const operator = createOperatorRedactor(
  envSchema.parse({
    OPENAI_API_KEY: "operator-key-1234",
    OPENAI_COMPATIBLE_BASE_URL: "http://models.internal:8000/v1",
  }),
);
const answered = (responseBody: string, statusCode: number | null = 400, message = "status 400") =>
  new APICallError({
    message,
    url: "http://models.internal:8000/v1",
    requestBodyValues: {},
    statusCode: statusCode ?? undefined,
    responseBody,
  });
const words = (error: unknown) => providerWords(error, operator);

test.each([
  [
    '{"error":{"message":"Rate limit reached for gpt-5 on tokens per ' +
      'min","type":"tokens","code":"rate_limit_exceeded"}}',
    "Rate limit reached for gpt-5 on tokens per min",
  ],
  ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "Overloaded"],
  [
    '[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]',
    "API key not valid.",
  ],
  [
    '{"error":"model \\"x\\" not found, try pulling it first"}',
    'model "x" not found, try pulling it first',
  ],
  [
    '{"object":"error","message":"This model\'s maximum context length is 4096 tokens."}',
    "This model's maximum context length is 4096 tokens.",
  ],
  ['{"detail":[{"loc":["body"],"msg":"field required"}]}', "field required"],
  ["upstream\n\tis   away\u0000", "upstream is away"],
])("of the answer %s its own words are told, on one line", (body, said) => {
  expect(words(answered(body))).toBe(said);
});

test("an error inside a stream says its words too", () => {
  expect(words({ error: { type: "overloaded_error", message: "Overloaded" } })).toBe("Overloaded");
});

test.each([
  ["a page of markup", answered("<html><body>502</body></html>", 502, "status 502")],
  ["no body", answered("", 500, "status 500")],
  ["an empty object", answered("{}", 500, "status 500")],
  [
    "nobody: the connection broke",
    answered("", null, "Cannot connect to API: connect ECONNREFUSED 10.0.0.1:80"),
  ],
  ["our own code", new TypeError("fetch failed")],
])("%s says nothing", (_what, error) => {
  expect(words(error)).toBeNull();
});

test.each([
  ["Incorrect API key provided: operator-key-1234.", "operator-key-1234"],
  [
    `Basic ${Buffer.from("user:operator-key-1234").toString("base64")} is not accepted here`,
    Buffer.from("operator-key-1234").toString("base64").slice(4, 16),
  ],
  ["Incorrect API key provided: sk-proj-abcd****************WXYZ. See the docs.", "WXYZ"],
  ["invalid header: Bearer abcdef0123456789", "abcdef0123456789"],
  ["connect to http://models.internal:8000/v1/chat failed", "models.internal"],
  ["upstream connect error: 10.1.2.3:8443 refused", "10.1.2.3"],
  ["upstream connect error: [fd00::12]:8443 refused", "fd00"],
])("of %j the operator's key or address is left out", (message, secret) => {
  const said = words(answered(JSON.stringify({ error: { message } })));
  expect(said).toContain("[redacted]");
  expect(said).not.toContain(secret);
});

test("a failure's message ends with the provider's words, redacted, in 500 characters", () => {
  const secret = "hunter2-secret-value";
  const body = JSON.stringify({
    error: { message: `${"long ".repeat(81)}${secret} ${"and more ".repeat(100)}` },
  });
  const { message, code } = toModelCallProblem(answered(body, 429), "openai/gpt-5", (text) =>
    text.replaceAll(secret, "[redacted]"),
  );
  expect(code).toBe("MODEL_RATE_LIMITED");
  expect(message).toMatch(
    /^The model openai\/gpt-5 is limited by its provider at the moment\. The provider says: long long .*\[redact.*…$/,
  );
  expect(message).toHaveLength(500);
  expect(message).not.toContain("hunter2");
});

test.each(["", "x"])("a message is not cut within a character (%j before it)", (before) => {
  const { message } = toModelCallProblem(
    answered(JSON.stringify({ message: before + "🎉".repeat(400) })),
    "a/b",
  );
  expect(message.isWellFormed()).toBe(true);
  expect(message.length).toBeLessThanOrEqual(500);
});

test.each([
  ["[", ":"],
  ["", "sk-"],
  ["", "1."],
  ["", "Bearer "],
  ["api_key=", " "],
  ["", "\u0007"],
])("time grows with the answer's length alone: %j and many of %j", async (begin, piece) => {
  const errorOf = (size: number) =>
    answered(JSON.stringify({ message: begin + piece.repeat(Math.ceil(size / piece.length)) }));
  await expectLinear(2_000, errorOf, words);
});

test("one's own server's 404 is told with the likely setting, no other provider's", () => {
  const error = answered("404 page not found", 404);
  expect(toModelCallProblem(error, "compatible/a").message).toMatch(
    /^The provider of compatible\/a refused the request \(status 404\)\. Does OPENAI_COMPATIBLE_BASE_URL end as .* \/v1, .*\? The provider says: 404 page not found$/,
  );
  expect(toModelCallProblem(error, "openai/gpt-5.1").message).not.toContain(
    "OPENAI_COMPATIBLE_BASE_URL",
  );
});
