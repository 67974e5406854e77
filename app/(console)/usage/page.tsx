import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { UsageView } from "./usage-view";

export const metadata: Metadata = { title: "Usage" };

export default function UsagePage() {
  return (
    <Hydrate reads={[reads.usage, reads.account]}>
      <PageHeader
        title="Usage"
        description="What was spent, on which models, by which agents. All figures are in credits."
      />
      <UsageView />
    </Hydrate>
  );
}
