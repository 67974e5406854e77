"use client";
import { Eye, EyeOff, X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import { useState } from "react";
import { shortenId } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { WebhookDelivery } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isUuid } from "@/lib/model/uuid";
import { RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";
import { OverlapField } from "../_shell/overlap-field";
import { attemptResult, DELIVERY_STATUSES, DeliveryStatusBadge } from "./delivery-status";
import { Endpoints } from "./endpoints";
import { VerificationSnippets } from "./verification-snippets";

const TABS = ["deliveries", "endpoints", "signing"] as const;

/** What was sent, and how a receiver knows that it came from here. */
export function WebhookTabs() {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("deliveries"));
  return (
    <Tabs
      value={tab}
      onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? "deliveries")}
    >
      <TabList aria-label="Parts of webhooks">
        <Tab value="deliveries">Deliveries</Tab>
        <Tab value="endpoints">Endpoints</Tab>
        <Tab value="signing">Signing</Tab>
      </TabList>
      <TabPanel value="deliveries">
        <Deliveries />
      </TabPanel>
      <TabPanel value="endpoints">
        <Endpoints />
      </TabPanel>
      <TabPanel value="signing" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <SigningSecret />
        <VerificationSnippets />
      </TabPanel>
    </Tabs>
  );
}

/** The secret that signs the account's webhooks, covered until somebody asks for it. */
function SigningSecret() {
  const { data, error, refetch } = useConsoleQuery(reads.webhookSecret);
  const [shown, setShown] = useState(false);
  const [rotating, setRotating] = useState(false);
  const overlaps =
    data?.previous_expires_at && Date.parse(data.previous_expires_at) > Date.now()
      ? data.previous_expires_at
      : null;
  return (
    <Card aria-label="Signing secret">
      <CardHeader
        title="Signing secret"
        note="of runs' own webhooks; each endpoint has one of its own"
      >
        <Button size="small" onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      </CardHeader>
      <div className="grid gap-3 p-4 text-sm">
        {error && !data && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !data && <Skeleton className="h-16" />}
        {data && (
          <>
            <div className="flex items-center gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
              <code
                data-testid="signing-secret"
                className="min-w-0 flex-1 break-all font-mono text-xs"
              >
                {shown ? data.webhook_secret : `whsec_${"•".repeat(24)}`}
              </code>
              <Button
                variant="ghost"
                size="icon-small"
                aria-label={shown ? "Hide secret" : "Show secret"}
                onClick={() => setShown(!shown)}
              >
                {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              </Button>
              <CopyButton text={data.webhook_secret} what="signing secret" />
            </div>
            <p className="text-faint text-xs">
              In use since <RelativeTime time={data.created_at} />. Keep it on the servers that
              receive the webhooks.
            </p>
            {overlaps && (
              <Alert tone="info" title="The secret before this one still signs along">
                Until <RelativeTime time={overlaps} />: each webhook carries both signatures, and a
                receiver with either secret takes it. Put the secret above in place before then.
              </Alert>
            )}
          </>
        )}
      </div>
      <RotateSigningSecretDialog open={rotating} onClose={() => setRotating(false)} />
    </Card>
  );
}

/** Makes a successor; the old secret signs along for as long as the owner picks. */
function RotateSigningSecretDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [overlap, setOverlap] = useState("1440");
  const rotate = useConsoleMutation(
    () =>
      consoleApi.post("/v1/account/webhook-secret/rotate", {
        body: { overlap_minutes: Number(overlap) },
      }),
    {
      stale: [reads.webhookSecret],
      quiet: true,
      done: "The signing secret was rotated.",
      onSuccess: onClose,
    },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Rotate the signing secret"
      description={
        "Makes a new secret. During the overlap each webhook carries a signature of both, so " +
        "that no receiver misses one while you swap."
      }
    >
      {rotate.error && (
        <Alert tone="danger" title="The secret was not rotated" alert className="mb-4">
          {messageOf(rotate.error)}
        </Alert>
      )}
      <OverlapField label="The old secret signs along for" value={overlap} onChange={setOverlap} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const FILTERS = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
] as const;

/** The log of deliveries, by status and run; looked at again while any is on its way. */
function Deliveries() {
  const [{ status, run, endpoint }, setFilter] = useQueryStates({
    status: parseAsStringLiteral(["all", ...DELIVERY_STATUSES]).withDefault("all"),
    run: parseAsString.withDefault(""),
    endpoint: parseAsString.withDefault(""),
  });
  const runId = isUuid(run) ? run : undefined;
  const endpointId = isUuid(endpoint) ? endpoint : undefined;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.deliveries({
      status: status === "all" ? undefined : status,
      run_id: runId,
      endpoint_id: endpointId,
    }),
    { refreshEvery: (rows) => (rows.some((row) => row.status === "pending") ? 3_000 : 15_000) },
  );
  const deliveries = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <ToggleGroup
          label="Status"
          value={status}
          options={FILTERS}
          onChange={(next) => void setFilter({ status: next })}
        />
        {endpointId && (
          <Button
            size="small"
            aria-label="Show the webhooks of runs, not only this endpoint's"
            onClick={() => void setFilter({ endpoint: null })}
          >
            Endpoint <span className="font-mono">{shortenId(endpointId)}</span>
            <X aria-hidden="true" />
          </Button>
        )}
        {runId && (
          <Button
            size="small"
            aria-label={`Show all runs, not only ${runId}`}
            onClick={() => void setFilter({ run: null })}
          >
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
          <NoDeliveries
            filtered={status !== "all" || runId !== undefined || endpointId !== undefined}
            onClear={() => void setFilter(null)}
          />
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

function NoDeliveries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        title="No delivery fits these filters"
        seed="delivery-filter"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Deliveries may have another status, or belong to another run or endpoint.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing was sent yet" seed="deliveries">
      Add <code className="font-mono text-xs">"webhook_url": "https://…"</code> to the body of{" "}
      <code className="font-mono text-xs">POST /v1/runs</code>. When the run ends its result is
      posted there, and every attempt is logged here with its answer.
    </EmptyState>
  );
}

function DeliveryRows({ deliveries }: { deliveries: WebhookDelivery[] }) {
  return (
    <ul className="divide-y divide-line">
      {deliveries.map((delivery) => (
        <li key={delivery.delivery_id}>
          <Link
            href={`/webhooks/${delivery.delivery_id}`}
            className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_6rem_6rem]"
          >
            <span className="min-w-0">
              <span className="block truncate font-mono text-xs leading-5">
                {delivery.event_type && `${delivery.event_type} → `}
                {delivery.url}
              </span>
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
  return (
    `${attemptResult(last)} · ` + `${last.attempt === 1 ? "1 attempt" : `${last.attempt} attempts`}`
  );
}
