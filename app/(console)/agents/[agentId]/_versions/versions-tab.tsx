"use client";

import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { formatCredits } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Agent, EditRun } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { RunStatus } from "@/lib/model/run/run-status";
import { QueryProblem } from "../../../_shared/query-problem";
import { VersionDetail } from "./version-detail";
import { useVersions, VersionList } from "./version-views";

const LISTS = ["versions", "edits"] as const;

/**
 * How the agent came to be what it is: each version with its changes, and each edit in words. What
 * is in view stands in the address.
 */
export function VersionsTab({ agent }: { agent: Agent }) {
  const [list, setList] = useQueryState(
    "list",
    parseAsStringLiteral(LISTS).withDefault("versions"),
  );
  const [wanted, setWanted] = useQueryState("version", parseAsString);
  const [, setAgainst] = useQueryState("against", parseAsString);
  const pick = (id: string | null) => {
    void setWanted(id);
    void setAgainst(null);
  };
  const show = (id: string) => {
    void setList("versions");
    pick(id);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <ToggleGroup
          label="History of"
          value={list}
          options={[
            { value: "versions", label: "Versions" },
            { value: "edits", label: "Edits in words" },
          ]}
          onChange={(next) => void setList(next)}
        />
      </div>
      {list === "edits" ? (
        <EditList agentId={agent.agent_id} onShow={show} />
      ) : (
        <Versions agent={agent} wanted={wanted} onPick={pick} />
      )}
    </div>
  );
}

/** The list beside the version in view; where there is no room for both, one after the other. */
function Versions({
  agent,
  wanted,
  onPick,
}: {
  agent: Agent;
  wanted: string | null;
  onPick: (id: string | null) => void;
}) {
  const {
    rows,
    found,
    previous,
    looking,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useVersions(agent.agent_id, wanted);
  if (error && !rows) return <QueryProblem error={error} retry={() => void refetch()} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[19rem_minmax(0,1fr)]">
      <Card
        aria-label="Versions"
        aria-busy={!rows}
        className={mergeClasses(wanted !== null && "max-lg:hidden")}
      >
        <CardHeader title="Versions" note="newest first" />
        {rows ? (
          <VersionList
            versions={rows}
            shown={found?.number ?? null}
            onPick={(version) => onPick(version.version_id)}
          />
        ) : (
          <Skeleton className="m-4 h-64" />
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
      <div className={mergeClasses("min-w-0", wanted === null && "max-lg:hidden")}>
        {found && rows && (
          <VersionDetail
            key={found.version_id}
            agent={agent}
            version={found}
            versions={rows}
            previous={previous}
            onBack={() => onPick(null)}
            onRestored={() => onPick(null)}
          />
        )}
        {!found && looking && <Skeleton className="h-96 rounded-lg" />}
        {!found && !looking && (
          <Alert tone="warning" title="There is no such version of this agent">
            The address names a version that this agent never had. Pick one from the list.
          </Alert>
        )}
      </div>
    </div>
  );
}

/** An edit's status in the words of runs, as the rest of the console shows them. */
const RUN_STATUS: Record<EditRun["status"], RunStatus> = {
  queued: "pending",
  running: "running",
  succeeded: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/**
 * The agent's edits in words, newest first; while one is under way they are looked at again and
 * again.
 */
function EditList({ agentId, onShow }: { agentId: string; onShow: (runId: string) => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agentEdits(agentId),
    {
      refreshEvery: (rows) =>
        rows.some(({ status }) => status === "queued" || status === "running") ? 3_000 : false,
    },
  );
  const edits = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Edits in words" aria-busy={!edits}>
      <CardHeader title="Edits in words" note="newest first" />
      {error && !edits && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !edits && <Skeleton className="m-4 h-40" />}
      {edits?.length === 0 && (
        <EmptyState title="No edits yet" seed="edit-3">
          Say what should change with “Edit in words”, and the agent is rewritten for you: “Answer
          in German, and put the totals first.” Each such edit stands here with what came of it.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {edits?.map((edit) => (
          <EditRow key={edit.run_id} edit={edit} onShow={() => onShow(edit.run_id)} />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

function EditRow({ edit, onShow }: { edit: EditRun; onShow: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <RunStatusBadge status={RUN_STATUS[edit.status]} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="line-clamp-3 [overflow-wrap:anywhere]">{outcomeOf(edit)}</p>
        <p className="mt-0.5 text-muted text-xs">
          <RelativeTime time={edit.created_at} />
          {edit.usage && ` · ${formatCredits(edit.usage.credits)} credits`}
        </p>
      </div>
      {edit.status === "succeeded" && (
        <Button size="small" onClick={onShow}>
          Show changes
        </Button>
      )}
      <Button asChild variant="ghost" size="small">
        <Link href={`/runs/${edit.run_id}`}>Open run</Link>
      </Button>
    </li>
  );
}

function outcomeOf({ status, result, error }: EditRun): string {
  if (result?.text) return result.text;
  if (error) return error.message ?? error.code;
  return status === "cancelled"
    ? "It was cancelled. The agent was left as it was."
    : "Under way. The agent stays as it is until then.";
}
