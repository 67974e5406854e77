import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { isUuid } from "@/lib/model/uuid";
import { Hydrate } from "../_shared/first-paint";
import { DELIVERY_STATUSES } from "./delivery-status";
import { WebhookTabs } from "./webhook-tabs";

export const metadata: Metadata = { title: "Webhooks" };

interface WebhooksPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function WebhooksPage({ searchParams }: WebhooksPageProps) {
  const { status, run } = await searchParams;
  const path = reads.deliveries({
    status: DELIVERY_STATUSES.find((value) => value === status),
    run_id: typeof run === "string" && isUuid(run) ? run : undefined,
  });
  return (
    // The signing secret is not read here: it has no place in the page's markup.
    <Hydrate pages={[path]}>
      <PageHeader
        title="Webhooks"
        description="A run that is started with a webhook_url posts its result there when it ends: signed, tried up to five times, and logged here."
      />
      <WebhookTabs />
    </Hydrate>
  );
}
