import "server-only";
import type { ZodOpenApiPathItemObject } from "zod-openapi";
import { WEBHOOK_EXAMPLES } from "@/lib/api/v1/webhooks/webhook-examples";
import { webhookPayloadSchema } from "@/lib/api/v1/webhooks/webhook-payload-schema";

const header = (name: string, description: string, example: string) => ({
  in: "header" as const,
  name,
  required: true,
  description,
  schema: { type: "string" as const },
  example,
});

/** What a run's `webhook_url` is sent. */
export function runFinishedWebhook(): ZodOpenApiPathItemObject {
  return {
    post: {
      operationId: "runFinished",
      tags: ["Webhooks"],
      summary: "A run has ended",
      description:
        "Sent to the `webhook_url` of a run, also of a creation or an edit, when it has completed, failed or was cancelled. Signed by Standard Webhooks with the account's `whsec_…` secret, which the console shows. Answer 2xx within 10 s. Anything else is tried again after 5 s, 30 s, 2 min and 10 min; `Retry-After` is honoured, 410 stops, redirects are not followed.",
      security: [],
      parameters: [
        header("webhook-id", "The same for every attempt and redelivery: the run's id.", "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002"),
        header("webhook-timestamp", "Of the attempt, in seconds since 1970. Refuse old ones.", "1767225600"),
        header(
          "webhook-signature",
          "`v1,<base64 HMAC-SHA256>` over `id.timestamp.body`; several, separated by spaces, while the secret is being rotated.",
          "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        ),
      ],
      requestBody: { required: true, content: { "application/json": { schema: webhookPayloadSchema, examples: WEBHOOK_EXAMPLES } } },
      responses: { "2XX": { description: "Delivered." }, "410": { description: "Stop sending this run's end." } },
    },
  };
}
