import "server-only";
import { invalidInput } from "@/lib/model/errors";
import { checkUrl } from "@/lib/platform/egress/check-url";
import { EGRESS_REFUSED_MESSAGE } from "@/lib/platform/egress/egress-refused";
import type { EgressReach } from "@/lib/platform/egress/open-egress";
import { operatorReach } from "@/lib/platform/egress/operator-reach";
import { requirePublicTarget } from "@/lib/platform/egress/require-public-target";

/**
 * Refuses a webhook URL that does not lead to the public network (contract §10). A name is resolved; one that does not resolve passes, since its delivery
 * looks again. @throws ServiceError INVALID_INPUT
 */
export async function requireWebhookUrl(text: string, path = "webhook_url", reach: EgressReach = operatorReach()): Promise<void> {
  const checked = checkUrl(text, reach);
  if (!checked.ok) throw invalidInput(path, withWayOut(checked.message, text));
  try {
    await requirePublicTarget(checked.url, reach);
  } catch (error) {
    throw invalidInput(path, withWayOut(error instanceof Error ? error.message : "must be a public http or https URL", text));
  }
}

/** How a developer's own machine becomes a target. Made of the URL alone: it tells nothing of what the name leads to. */
function withWayOut(message: string, text: string): string {
  if (message !== EGRESS_REFUSED_MESSAGE) return message;
  const url = new URL(text);
  const target = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  return `${message} For development the operator of this service can allow a single target: EGRESS_ALLOW=${target}`;
}
