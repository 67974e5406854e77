"use client";

import { Check, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";
import { formatDuration, shortenId } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { WebhookDelivery } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { attemptResult, DeliveryStatusBadge } from "../delivery-status";

/**
 * One delivery: its attempts, the latest first, and beside them the facts. Live while it is on its
 * way.
 */
export function DeliveryView({ deliveryId }: { deliveryId: string }) {
  const { data: delivery } = useConsoleQuery(reads.delivery(deliveryId), {
    refreshEvery: (latest) => (latest?.status === "pending" ? 1_500 : false),
  });
  if (!delivery) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card aria-label="Attempts">
        <CardHeader
          title="Attempts"
          note={delivery.status === "pending" ? "more may follow" : undefined}
        />
        {delivery.attempts.length === 0 ? (
          <p className="px-4 py-8 text-center text-muted text-sm">
            It is about to be sent for the first time.
          </p>
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
          {delivery.event_type && (
            <Fact name="Event">
              <code className="font-mono text-xs">{delivery.event_type}</code>
            </Fact>
          )}
          {delivery.run_id && (
            <Fact name="Run">
              <Link
                href={`/runs/${delivery.run_id}`}
                className="font-mono text-accent text-xs underline-offset-4 hover:underline"
              >
                {shortenId(delivery.run_id)}
              </Link>
            </Fact>
          )}
          <Fact name={delivery.event_type ? "Happened" : "Run ended"}>
            <RelativeTime time={delivery.created_at} />
          </Fact>
          <Fact name="Address">
            <span className="break-all font-mono text-xs">{delivery.url}</span>
          </Fact>
        </dl>
        <p className="border-line border-t px-4 py-3 text-faint text-xs">
          A 2xx answer within 10 seconds counts as delivered. Otherwise it is tried again 5 s, 30 s,
          2 min and 10 min after that; 410 stops it at once.
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

/** One attempt: when, how long, and the start of what the receiver said, as text. */
function AttemptRow({ attempt }: { attempt: WebhookDelivery["attempts"][number] }) {
  const delivered =
    attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
  const Sign = delivered ? Check : X;
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5 gap-y-2 px-4 py-3 text-sm">
      <Sign
        aria-hidden="true"
        className={delivered ? "size-4 self-center text-success" : "size-4 self-center text-danger"}
      />
      <span className="[overflow-wrap:anywhere]">
        <span className="text-muted">Attempt {attempt.attempt}:</span>{" "}
        <span className="font-medium">{attemptResult(attempt)}</span>
      </span>
      <span className="text-right text-faint text-xs tabular">
        {formatDuration(attempt.duration_ms)} · <RelativeTime time={attempt.at} />
      </span>
      {attempt.response_body && (
        <ScrollRegion
          label={`Answer to attempt ${attempt.attempt}`}
          className="col-start-2 col-end-4 max-h-48 rounded-md border border-line bg-sunken px-3 py-2"
        >
          <pre className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">
            {attempt.response_body}
          </pre>
        </ScrollRegion>
      )}
    </li>
  );
}

/** Sends it again at once, with attempts of its own. */
export function RedeliverButton({ deliveryId }: { deliveryId: string }) {
  const redeliver = useConsoleMutation(
    () =>
      consoleApi.post("/v1/webhook-deliveries/{delivery_id}/redeliver", {
        params: { path: { delivery_id: deliveryId } },
      }),
    { stale: ["/v1/webhook-deliveries", "/v1/runs"], done: "It is being sent again." },
  );
  return (
    <Button loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <RotateCw aria-hidden="true" />
      Send again
    </Button>
  );
}
