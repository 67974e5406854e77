export type WebhookSampleLanguage = "typescript" | "python";

/** Receivers that verify a webhook by the Standard Webhooks libraries; the secret comes from the environment. */
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
