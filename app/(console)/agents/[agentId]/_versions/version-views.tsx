"use client";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentVersion, AgentVersionMetadata } from "@/lib/console/shapes/agent-version";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { QueryProblem } from "../../../_shared/query-problem";
import { VersionChanges } from "./version-changes";
import { VersionWhole } from "./version-whole";

/** The difference of two versions, fetched. */
export function ComparedVersions({
  agentId,
  before,
  after,
}: {
  agentId: string;
  before: AgentVersionMetadata;
  after: AgentVersionMetadata;
}) {
  const old = useVersion(agentId, before);
  const next = useVersion(agentId, after);
  const failed = old.isError ? old : next.isError ? next : null;
  if (failed?.error) return <QueryProblem error={failed.error} retry={() => void failed.refetch()} />;
  if (!old.data || !next.data) return <Skeleton className="m-4 h-72" />;
  return <VersionChanges key={`${before.version_id} ${after.version_id}`} before={old.data} after={next.data} />;
}

/** One version, fetched. */
export function WholeVersion({ agentId, version }: { agentId: string; version: AgentVersionMetadata }) {
  const { data, error, refetch } = useVersion(agentId, version);
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  return data ? <VersionWhole key={version.version_id} version={data} /> : <Skeleton className="m-4 h-72" />;
}

function useVersion(agentId: string, { version_id }: AgentVersionMetadata) {
  return useConsoleQuery<AgentVersion>(consolePaths.agentVersion(agentId, version_id));
}
