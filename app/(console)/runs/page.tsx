import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { FilteredRuns } from "../_run/run-list";
import { Hydrate } from "../_shared/first-paint";
import { RUN_FILTERS, toRunsRead } from "./run-filters";

export const metadata: Metadata = { title: "Runs" };

interface RunsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RunsPage({ searchParams }: RunsPageProps) {
  const { status, agent, schedule } = await searchParams;
  const filter = RUN_FILTERS.find(({ value }) => value === status)?.value ?? "all";
  const path = toRunsRead({
    status: filter,
    agent: String(agent ?? ""),
    schedule: String(schedule ?? ""),
  });
  return (
    <Hydrate reads={[reads.agents({ limit: 100 })]} pages={[path]}>
      <PageHeader
        title="Runs"
        description="Every run of this account, newest first. What is active refreshes by itself."
      />
      <FilteredRuns />
    </Hydrate>
  );
}
