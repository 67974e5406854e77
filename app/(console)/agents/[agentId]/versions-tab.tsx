"use client";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Card, CardHeader } from "@/components/ui/card";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Agent } from "@/lib/client/schemas";
import { QueryProblem } from "../../_shared/query-problem";
import { EditList } from "./_versions/edit-list";
import { VersionDetail } from "./_versions/version-detail";
import { useVersions, VersionList } from "./_versions/version-list";

const LISTS = ["versions", "edits"] as const;

/** How the agent came to be what it is: each version with its changes, and each edit in words. What is in view stands in the address. */
export function VersionsTab({ agent }: { agent: Agent }) {
  const [list, setList] = useQueryState("list", parseAsStringLiteral(LISTS).withDefault("versions"));
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
      {list === "edits" ? <EditList agentId={agent.agent_id} onShow={show} /> : <Versions agent={agent} wanted={wanted} onPick={pick} />}
    </div>
  );
}

/** The list beside the version in view; where there is no room for both, one after the other. */
function Versions({ agent, wanted, onPick }: { agent: Agent; wanted: string | null; onPick: (id: string | null) => void }) {
  const { rows, found, previous, looking, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useVersions(
    agent.agent_id,
    wanted,
  );
  if (error && !rows) return <QueryProblem error={error} retry={() => void refetch()} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[19rem_minmax(0,1fr)]">
      <Card aria-label="Versions" aria-busy={!rows} className={mergeClasses(wanted !== null && "max-lg:hidden")}>
        <CardHeader title="Versions" note="newest first" />
        {rows ? (
          <VersionList versions={rows} shown={found?.number ?? null} onPick={(version) => onPick(version.version_id)} />
        ) : (
          <Skeleton className="m-4 h-64" />
        )}
        {hasNextPage && <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
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
