import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { SkillList } from "./skill-list";

export const metadata: Metadata = { title: "Skills" };

export default function SkillsPage() {
  return (
    <Hydrate pages={[reads.skills]}>
      <PageHeader
        title="Skills"
        description={
          "Know-how that every run may look up. A run is told the names and descriptions, and " +
          "reads the text of those it needs."
        }
      >
        <Button asChild variant="primary">
          <Link href="/skills/new">
            <Plus aria-hidden="true" />
            Install skill
          </Link>
        </Button>
      </PageHeader>
      <SkillList />
    </Hydrate>
  );
}
