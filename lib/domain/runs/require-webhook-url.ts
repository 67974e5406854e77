import "server-only";
import { invalidInput } from "@/lib/model/errors";
import { checkUrl } from "@/lib/platform/egress/check-url";
import type { EgressReach } from "@/lib/platform/egress/open-egress";
import { operatorReach } from "@/lib/platform/egress/operator-reach";
import { requirePublicTarget } from "@/lib/platform/egress/require-public-target";

/**
 * Refuses a webhook URL that does not lead to the public network (contract §10). A name is resolved; one that does not resolve passes, since its delivery
 * looks again. @throws ServiceError INVALID_INPUT
 */
export async function requireWebhookUrl(text: string, path = "webhook_url", reach: EgressReach = operatorReach()): Promise<void> {
  const checked = checkUrl(text, reach);
  if (!checked.ok) throw invalidInput(path, checked.message);
  try {
    await requirePublicTarget(checked.url, reach);
  } catch (error) {
    throw invalidInput(path, error instanceof Error ? error.message : "must be a public http or https URL");
  }
}
