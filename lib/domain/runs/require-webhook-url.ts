import "server-only";
import { env } from "@/lib/env";
import { invalidInput } from "@/lib/model/errors";
import { checkUrl } from "@/lib/platform/egress/check-url";
import { requirePublicTarget } from "@/lib/platform/egress/require-public-target";

/** Refuses a webhook URL that does not lead to the public network (contract §10). A name that does not resolve passes. @throws ServiceError INVALID_INPUT */
export async function requireWebhookUrl(text: string, path = "webhook_url"): Promise<void> {
  const allow = env().EGRESS_ALLOW;
  const checked = checkUrl(text, { allow });
  if (!checked.ok) throw invalidInput(path, checked.message);
  try {
    await requirePublicTarget(checked.url, { allow });
  } catch (error) {
    throw invalidInput(path, error instanceof Error ? error.message : "must be a public http or https URL");
  }
}
