"use client";
import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { shortenId } from "@/components/format/shorten-id";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Segmented } from "@/components/ui/segmented";
import { consolePaths } from "@/lib/console/console-paths";
import { DELIVERY_STATUSES, type WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { isUuid } from "@/lib/model/uuid";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { QueryProblem } from "../_shared/query-problem";
import { DeliveryRows } from "./delivery-rows";

const FILTERS = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
] as const;

/** The log of deliveries, by status and run; looked at again while any is on its way. */
export function Deliveries() {
  const [{ status, run }, setFilter] = useQueryStates({
    status: parseAsStringLiteral(["all", ...DELIVERY_STATUSES]).withDefault("all"),
    run: parseAsString.withDefault(""),
  });
  const runId = isUuid(run) ? run : undefined;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<WebhookDelivery>(
    consolePaths.deliveries({ status: status === "all" ? undefined : status, run_id: runId }),
    { refreshEvery: (rows) => (rows.some((row) => row.status === "pending") ? 3_000 : 15_000) },
  );
  const deliveries = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Segmented label="Status" value={status} options={FILTERS} onChange={(next) => void setFilter({ status: next })} />
        {runId && (
          <Button size="small" aria-label={`Show all runs, not only ${runId}`} onClick={() => void setFilter({ run: null })}>
            Run <span className="font-mono">{shortenId(runId)}</span>
            <X aria-hidden="true" />
          </Button>
        )}
      </div>
      <Card aria-label="Deliveries" aria-busy={!deliveries}>
        {error && !deliveries && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !deliveries && <RunRowsSkeleton rows={6} />}
        {deliveries && deliveries.length > 0 && <DeliveryRows deliveries={deliveries} />}
        {deliveries?.length === 0 && (
          <NoDeliveries filtered={status !== "all" || runId !== undefined} onClear={() => void setFilter(null)} />
        )}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}

function NoDeliveries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="No delivery fits these filters" seed="delivery-filter" action={<Button onClick={onClear}>Clear filters</Button>}>
        Deliveries may have another status, or belong to another run.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing was sent yet" seed="deliveries">
      Add <code className="font-mono text-xs">"webhook_url": "https://…"</code> to the body of{" "}
      <code className="font-mono text-xs">POST /v1/runs</code>. When the run ends its result is posted there, and every attempt is logged
      here with its answer.
    </EmptyState>
  );
}
