"use client";
import Link from "next/link";
import { consolePaths } from "@/lib/console/console-paths";
import type { Page } from "@/lib/console/shapes/page";
import type { Run } from "@/lib/console/shapes/run";
import type { WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { isTerminal } from "@/lib/model/run/run-status";

const WORDS = { pending: "Being sent", delivered: "Delivered", failed: "Not delivered" };

/** What became of the run's webhook, as a row of its facts; nothing for a run without one. */
export function WebhookFact({ run }: { run: Run }) {
  const { data } = useConsoleQuery<Page<WebhookDelivery>>(consolePaths.deliveries({ run_id: run.run_id, limit: 1 }), {
    enabled: isTerminal(run.status),
    refreshEvery: (page) => (page?.data[0]?.status === "pending" ? 3_000 : false),
  });
  const delivery = data?.data[0];
  if (!delivery) return null;
  return (
    <div className="flex min-h-6 items-center justify-between gap-4">
      <dt className="shrink-0 text-faint">Webhook</dt>
      <dd>
        <Link href={`/webhooks/${delivery.delivery_id}`} className="text-accent underline-offset-4 hover:underline">
          {WORDS[delivery.status]}
        </Link>
      </dd>
    </div>
  );
}
