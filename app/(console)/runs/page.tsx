import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import { isUuid } from "@/lib/model/uuid";
import { Hydrate } from "../_shared/hydrate";
import { FilteredRuns } from "./filtered-runs";
import { RUN_FILTERS, toStatusFilter } from "./run-filters";

export const metadata: Metadata = { title: "Runs" };

interface RunsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RunsPage({ searchParams }: RunsPageProps) {
  const { status, agent } = await searchParams;
  const filter = RUN_FILTERS.find(({ value }) => value === status)?.value ?? "all";
  const agentId = typeof agent === "string" && isUuid(agent) ? agent : undefined;
  const path = consolePaths.runs({ status: toStatusFilter(filter), agent_id: agentId });
  return (
    <Hydrate paths={[consolePaths.agents({ limit: 100 })]} pages={[path]}>
      <PageHeader title="Runs" description="Every run of this account, newest first. What is active refreshes by itself." />
      <FilteredRuns />
    </Hydrate>
  );
}
