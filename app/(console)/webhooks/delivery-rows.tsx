import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import type { WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { attemptResult } from "./attempt-result";
import { DeliveryStatusBadge } from "./delivery-status-badge";

export function DeliveryRows({ deliveries }: { deliveries: WebhookDelivery[] }) {
  return (
    <ul className="divide-y divide-line">
      {deliveries.map((delivery) => (
        <li key={delivery.delivery_id}>
          <Link
            href={`/webhooks/${delivery.delivery_id}`}
            className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_6rem_6rem]"
          >
            <span className="min-w-0">
              <span className="block truncate font-mono text-xs leading-5">{delivery.url}</span>
              <span className="block truncate text-faint text-xs">{lastWord(delivery)}</span>
            </span>
            <span className="justify-self-end sm:justify-self-start">
              <DeliveryStatusBadge status={delivery.status} />
            </span>
            <span className="hidden text-right text-faint text-xs sm:block">
              <RelativeTime time={delivery.created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function lastWord({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (!last) return "Not tried yet";
  return `${attemptResult(last)} · ${last.attempt === 1 ? "1 attempt" : `${last.attempt} attempts`}`;
}
