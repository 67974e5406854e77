import type { SampleLanguage } from "@/lib/console/reference/code-samples";

/**
 * How a program reads a refusal: the code decides, the message is for people, the request's id for
 * the operator.
 */
export function errorSamples(baseUrl: string): Record<SampleLanguage, string> {
  const address = JSON.stringify(`${baseUrl}/v1/account`);
  return {
    curl: `curl -i ${address} \\
  -H "Authorization: Bearer $LATHE_API_KEY"
# HTTP/1.1 401 Unauthorized
# X-Request-Id: …
#
# {"error":"AUTHENTICATION_REQUIRED","message":"…"}`,
    typescript: `import { createClient, LatheApiError } from "./client/lathe-client";

const lathe = createClient({
  apiKey: process.env.LATHE_API_KEY ?? "",
  baseUrl: ${JSON.stringify(baseUrl)},
});

try {
  console.log(await lathe.get("/v1/account"));
} catch (error) {
  if (!(error instanceof LatheApiError)) throw error;
  console.error(error.status, error.code, error.message, error.requestId);
}`,
    python: `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${address},
    headers={"Authorization": f"Bearer {os.environ['LATHE_API_KEY']}"},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response))
except urllib.error.HTTPError as error:
    body = json.load(error)
    print(error.code, body["error"], body["message"], error.headers["X-Request-Id"])`,
  };
}

export type WebhookSampleLanguage = "typescript" | "python";

/**
 * Receivers that verify a webhook by the Standard Webhooks libraries; the secret comes from the
 * environment.
 */
export const WEBHOOK_SAMPLES: Record<WebhookSampleLanguage, { install: string; code: string }> = {
  typescript: {
    install: "npm install standardwebhooks",
    code: `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.LATHE_WEBHOOK_SECRET!);

export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  try {
    webhook.verify(body, Object.fromEntries(request.headers));
  } catch {
    return new Response("The signature does not fit.", { status: 400 });
  }
  const { runId, status, result, error } = JSON.parse(body);
  console.log(runId, status, result?.text ?? error?.message);
  return new Response(null, { status: 204 });
}
`,
  },
  python: {
    install: "pip install standardwebhooks flask",
    code: `import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["LATHE_WEBHOOK_SECRET"])


@app.post("/hooks/lathe")
def receive():
    try:
        event = webhook.verify(request.get_data(as_text=True), dict(request.headers))
    except WebhookVerificationError:
        return "The signature does not fit.", 400
    print(event["runId"], event["status"])
    return "", 204
`,
  },
};
