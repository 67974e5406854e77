import { createRequire } from "node:module";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { WEBHOOK_SAMPLES } from "@/lib/console/reference/guide-samples";
import { createWebhookSecret, signWebhook } from "@/lib/platform/crypto/webhook-signature";

type Receiver = (request: Request) => Promise<Response>;

/** The snippet as a module of its own, with the secret in its environment. */
function receiverOf(secret: string): Receiver {
  const { code } = transformSync(WEBHOOK_SAMPLES.typescript.code, { loader: "ts", format: "cjs" });
  const module: { exports: { POST?: Receiver } } = { exports: {} };
  const run = new Function("require", "module", "process", "console", code);
  run(
    createRequire(import.meta.url),
    module,
    { env: { LATHE_WEBHOOK_SECRET: secret } },
    { log: () => undefined },
  );
  const receiver = module.exports.POST;
  if (!receiver) throw new Error("the snippet exports no POST");
  return receiver;
}

it("has a receiver that takes what is signed, by either secret, and nothing changed", async () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()];
  const body = JSON.stringify({ runId: "r", status: "completed", result: { text: "Grüße" } });
  const headers = signWebhook({ id: "r", at: new Date(), body, secrets });
  const post = (text: string, more: Record<string, string> = {}) =>
    new Request("http://receiver.test/hook", {
      method: "POST",
      body: text,
      headers: { ...headers, ...more },
    });
  for (const secret of secrets) expect((await receiverOf(secret)(post(body))).status).toBe(204);
  const receive = receiverOf(secrets[0] ?? "");
  expect((await receive(post(body.replace("completed", "failed")))).status).toBe(400);
  expect((await receive(post(body, { "webhook-id": "other" }))).status).toBe(400);
  expect((await receiverOf(createWebhookSecret())(post(body))).status).toBe(400);
});
