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
  const { status, run, endpoint } = await searchParams;
  const path = reads.deliveries({
    status: DELIVERY_STATUSES.find((value) => value === status),
    run_id: typeof run === "string" && isUuid(run) ? run : undefined,
    endpoint_id: typeof endpoint === "string" && isUuid(endpoint) ? endpoint : undefined,
  });
  return (
    // The signing secret is not read here: it has no place in the page's markup.
    <Hydrate pages={[path]}>
      <PageHeader
        title="Webhooks"
        description={
          "A run posts its result to its webhook_url when it ends; endpoints are told of all " +
          "that happens. Signed, tried up to five times, and logged here."
        }
      />
      <WebhookTabs />
    </Hydrate>
  );
}
