import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import { Hydrate } from "../_shared/hydrate";
import { UsageView } from "./usage-view";

export const metadata: Metadata = { title: "Usage" };

export default function UsagePage() {
  return (
    <Hydrate paths={[consolePaths.usage, consolePaths.account]}>
      <PageHeader title="Usage" description="What was spent, on which models, by which agents. All figures are in credits." />
      <UsageView />
    </Hydrate>
  );
}
