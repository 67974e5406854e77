"use client";
import { ChevronRight, X } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { type ReactNode, useId } from "react";
import { shortenId } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import type { AuditEvent } from "@/lib/console/console-schemas";
import { useConsolePages } from "@/lib/console/queries";
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from "@/lib/model/audit";
import { RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";
import { type AuditQuery, type AuditScope, toAuditRead } from "./audit-filters";

const TEXT = parseAsString.withDefault("");

/** Who did what, newest first, by act and day. */
export function AuditLog({ scope }: { scope: AuditScope }) {
  const [query, setQuery] = useQueryStates({ action: TEXT, from: TEXT, to: TEXT, account: TEXT });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<
    "/audit-events" | "/admin/audit-events"
  >(toAuditRead(scope, query));
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
              <AuditRow
                key={event.audit_event_id}
                event={event}
                onAccount={(account) => void setQuery({ account })}
              />
            ))}
          </ul>
        )}
        {events?.length === 0 && (
          <NoEvents filtered={filtered} onClear={() => void setQuery(null)} />
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
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
        <Button
          size="small"
          aria-label={`Show all accounts, not only ${query.account}`}
          onClick={() => onChange({ account: null })}
        >
          Account <span className="font-mono">{shortenId(query.account)}</span>
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

function Day({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (day: string | null) => void;
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-2 text-muted text-sm max-sm:w-full">
      <label htmlFor={id} className="max-sm:w-10">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value || null)}
        className="min-w-0 max-sm:flex-1 sm:w-40"
      />
    </div>
  );
}

function NoEvents({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        title="Nothing fits these filters"
        seed="audit-filter"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        It may have been another act, or another day.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing has happened yet" seed="audit">
      Sign-ins, keys, secrets, approvals and changes by the service's admins are noted here from now
      on.
    </EmptyState>
  );
}

interface AuditRowProps {
  event: AuditEvent;
  /** Shows one account's events alone. */
  onAccount: (accountId: string) => void;
}

/** One act in two lines; opened, all that is known of it. */
function AuditRow({ event, onAccount }: AuditRowProps) {
  const { actor, object, changes } = event;
  const changed = Object.entries(changes);
  return (
    <li>
      <details className="group text-sm">
        <summary className="grid min-h-14 cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2.5 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0">
            <span className="block truncate">
              <span className="font-medium">{actionLabel(event.action)}</span>
              {object?.label && <span className="text-muted"> · {object.label}</span>}
            </span>
            <span className="block truncate text-faint text-xs">
              {actorLabel(actor)}
              {event.address && ` from ${event.address}`}
            </span>
          </span>
          <span className="text-right text-faint text-xs">
            <RelativeTime time={event.created_at} />
          </span>
        </summary>
        <dl className="grid gap-2 border-line border-t bg-sunken px-4 py-3 pl-11">
          <Fact name="When">{event.created_at}</Fact>
          <Fact name="Who">{actorLabel(actor)}</Fact>
          {event.address && <Fact name="From">{event.address}</Fact>}
          {event.user_agent && <Fact name="With">{event.user_agent}</Fact>}
          {object && (
            <Fact name="What">
              {[object.kind.replaceAll("_", " "), object.label, object.id]
                .filter(Boolean)
                .join(" · ")}
            </Fact>
          )}
          {event.account_id && (
            <AccountFact event={event} accountId={event.account_id} onAccount={onAccount} />
          )}
          {changed.map(([name, change]) => (
            <Fact key={name} name={name.replaceAll("_", " ")}>
              {changeText(change)}
            </Fact>
          ))}
        </dl>
      </details>
    </li>
  );
}

function AccountFact({ event, accountId, onAccount }: AuditRowProps & { accountId: string }) {
  return (
    <Fact name="Account">
      {event.account_email ?? accountId}{" "}
      <Button variant="ghost" size="small" onClick={() => onAccount(accountId)}>
        Only this account
      </Button>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-4 text-xs">
      <dt className="text-faint first-letter:uppercase">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** An act that this version of the service does not know is named as it was stored. */
function actionLabel(action: string): string {
  return Object.hasOwn(AUDIT_ACTIONS, action)
    ? AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS]
    : action; // it is one of the table's own keys
}

function actorLabel({ kind, label }: AuditEvent["actor"]): string {
  switch (kind) {
    case "user":
      return label ?? "A user";
    case "key":
      return `Key ${label ?? ""}`.trim();
    case "admin":
      return label ? `Admin ${label}` : "An admin of the service";
    case "operator":
      return label ? `Operator ${label}` : "The service's operator";
    case "system":
      return "The service itself";
    case "anonymous":
      return label ? `Somebody as ${label}` : "Somebody";
  }
}

function changeText(change: unknown): string {
  if (isChange(change)) return `${factText(change.from)} → ${factText(change.to)}`;
  return factText(change);
}

function isChange(change: unknown): change is { from: unknown; to: unknown } {
  return typeof change === "object" && change !== null && "from" in change && "to" in change;
}

function factText(fact: unknown): string {
  if (fact === null || fact === "" || (Array.isArray(fact) && fact.length === 0)) return "none";
  if (typeof fact === "boolean") return fact ? "yes" : "no";
  return Array.isArray(fact) ? fact.join(", ") : String(fact);
}
