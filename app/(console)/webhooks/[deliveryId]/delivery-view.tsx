"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { shortenId } from "@/components/format/shorten-id";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { consolePaths } from "@/lib/console/console-paths";
import type { WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { DeliveryStatusBadge } from "../delivery-status-badge";
import { AttemptRow } from "./attempt-row";

/** One delivery: its attempts, the latest first, and beside them the facts. Live while it is on its way. */
export function DeliveryView({ deliveryId }: { deliveryId: string }) {
  const { data: delivery } = useConsoleQuery<WebhookDelivery>(consolePaths.delivery(deliveryId), {
    refreshEvery: (latest) => (latest?.status === "pending" ? 1_500 : false),
  });
  if (!delivery) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card aria-label="Attempts">
        <CardHeader title="Attempts" note={delivery.status === "pending" ? "more may follow" : undefined} />
        {delivery.attempts.length === 0 ? (
          <p className="px-4 py-8 text-center text-muted text-sm">It is about to be sent for the first time.</p>
        ) : (
          <ol className="divide-y divide-line">
            {delivery.attempts.toReversed().map((attempt) => (
              <AttemptRow key={attempt.attempt} attempt={attempt} />
            ))}
          </ol>
        )}
      </Card>
      <Card aria-label="Facts">
        <CardHeader title="Details">
          <DeliveryStatusBadge status={delivery.status} />
        </CardHeader>
        <dl className="grid gap-2.5 px-4 py-3.5 text-sm">
          <Fact name="Run">
            <Link href={`/runs/${delivery.run_id}`} className="font-mono text-accent text-xs underline-offset-4 hover:underline">
              {shortenId(delivery.run_id)}
            </Link>
          </Fact>
          <Fact name="Run ended">
            <RelativeTime time={delivery.created_at} />
          </Fact>
          <Fact name="Address">
            <span className="break-all font-mono text-xs">{delivery.url}</span>
          </Fact>
        </dl>
        <p className="border-line border-t px-4 py-3 text-faint text-xs">
          A 2xx answer within 10 seconds counts as delivered. Otherwise it is tried again 5 s, 30 s, 2 min and 10 min after the run's end;
          410 stops it at once.
        </p>
      </Card>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-baseline justify-between gap-4">
      <dt className="shrink-0 text-faint">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
