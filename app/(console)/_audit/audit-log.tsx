"use client";
import { X } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useId } from "react";
import { shortenId } from "@/components/format/shorten-id";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { LoadMore } from "@/components/ui/load-more";
import { Select } from "@/components/ui/select";
import type { AuditEvent } from "@/lib/console/shapes/audit-event";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from "@/lib/model/audit";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { QueryProblem } from "../_shared/query-problem";
import { type AuditQuery, type AuditScope, toAuditPath } from "./audit-filters";
import { AuditRow } from "./audit-row";

const TEXT = parseAsString.withDefault("");

/** Who did what, newest first, by act and day. */
export function AuditLog({ scope }: { scope: AuditScope }) {
  const [query, setQuery] = useQueryStates({ action: TEXT, from: TEXT, to: TEXT, account: TEXT });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<AuditEvent>(toAuditPath(scope, query));
  const events = data?.pages.flatMap((page) => page.data);
  const filtered = Object.values(query).some((value) => value !== "");
  return (
    <>
      <Filters scope={scope} query={query} onChange={(change) => void setQuery(change)} />
      <Card aria-label="Events" aria-busy={!events}>
        {error && !events && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !events && <RunRowsSkeleton rows={8} />}
        {events && events.length > 0 && (
          <ul className="divide-y divide-line">
            {events.map((event) => (
              <AuditRow key={event.audit_event_id} event={event} onAccount={(account) => void setQuery({ account })} />
            ))}
          </ul>
        )}
        {events?.length === 0 && <NoEvents filtered={filtered} onClear={() => void setQuery(null)} />}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}

interface FiltersProps {
  scope: AuditScope;
  query: AuditQuery;
  onChange: (change: Partial<Record<keyof AuditQuery, string | null>>) => void;
}

function Filters({ scope, query, onChange }: FiltersProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <Select
        aria-label="Act"
        value={query.action}
        onChange={(event) => onChange({ action: event.target.value || null })}
        className="w-full sm:w-56"
      >
        <option value="">All acts</option>
        {AUDIT_ACTION_NAMES.map((action) => (
          <option key={action} value={action}>
            {AUDIT_ACTIONS[action]}
          </option>
        ))}
      </Select>
      <Day label="From" value={query.from} onChange={(from) => onChange({ from })} />
      <Day label="To" value={query.to} onChange={(to) => onChange({ to })} />
      {scope === "service" && query.account !== "" && (
        <Button size="small" aria-label={`Show all accounts, not only ${query.account}`} onClick={() => onChange({ account: null })}>
          Account <span className="font-mono">{shortenId(query.account)}</span>
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string | null) => void }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 text-muted text-sm sm:flex-none">
      <label htmlFor={id}>{label}</label>
      <Input id={id} type="date" value={value} onChange={(event) => onChange(event.target.value || null)} className="min-w-0 sm:w-40" />
    </div>
  );
}

function NoEvents({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="Nothing fits these filters" seed="audit-filter" action={<Button onClick={onClear}>Clear filters</Button>}>
        It may have been another act, or another day.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing has happened yet" seed="audit">
      Sign-ins, keys, secrets, approvals and changes by the service's admins are noted here from now on.
    </EmptyState>
  );
}
