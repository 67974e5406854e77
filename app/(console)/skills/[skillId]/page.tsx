import type { Metadata } from "next";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { SkillActions, SkillView } from "./skill-view";
export const metadata: Metadata = { title: "Skill" };

export default async function SkillPage({ params }: { params: Promise<{ skillId: string }> }) {
  const { skillId } = await params;
  const skill = await readOrNotFound(reads.skill(skillId));
  return (
    <Hydrate reads={[reads.skill(skill.skill_id)]}>
      <PageHeader
        back={{ href: "/skills", label: "Skills" }}
        title={
          <span className="inline-flex flex-wrap items-center gap-2.5 [overflow-wrap:anywhere]">
            {skill.name}
            {skill.source === "built_in" && <Badge>Built in</Badge>}
          </span>
        }
        description={skill.description}
      >
        {skill.source === "custom" && <SkillActions skillId={skill.skill_id} />}
      </PageHeader>
      <div className="-mt-3 mb-5">
        <IdChip id={skill.skill_id} what="skill id" />
      </div>
      <SkillView skillId={skill.skill_id} />
    </Hydrate>
  );
}
