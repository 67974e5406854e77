import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { overviewPaths } from "../../lib/console/reads";
import { OverviewAgents, OverviewFigures, OverviewRuns } from "./_overview/overview";
import { Quickstart } from "./_overview/quickstart";
import { Hydrate } from "./_shared/first-paint";

export const metadata: Metadata = { title: "Overview" };

export default function OverviewPage() {
  return (
    <Hydrate
      reads={[
        reads.usage,
        reads.keys,
        overviewPaths.agents,
        overviewPaths.runs,
        reads.agents({ limit: 100 }),
      ]}
    >
      <PageHeader title="Overview" description="What your agents are doing, and what it costs." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <OverviewFigures />
        <Quickstart />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
          <OverviewRuns />
          <OverviewAgents />
        </div>
      </div>
    </Hydrate>
  );
}
