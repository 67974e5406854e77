import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { isUuid } from "@/lib/model/uuid";
import { readOrNotFound } from "../../_shared/first-paint";
import { EXAMPLE_SKILL } from "../example-skill";
import { SkillInstaller } from "./skill-installer";

export const metadata: Metadata = { title: "Install skill" };

interface NewSkillPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** `?from=<skill id>` starts with that skill's text, `?example=true` with the example. */
export default async function NewSkillPage({ searchParams }: NewSkillPageProps) {
  const { from, example } = await searchParams;
  const original =
    typeof from === "string" && isUuid(from) ? await readOrNotFound(reads.skill(from)) : null;
  const edits = original?.source === "custom";
  return (
    <>
      <PageHeader
        back={
          edits
            ? { href: `/skills/${original.skill_id}`, label: original.name }
            : { href: "/skills", label: "Skills" }
        }
        title={edits ? `New version of ${original.name}` : "Install skill"}
        description={
          "Write or paste a SKILL.md, or upload a zip that holds one with more files beside it."
        }
      />
      <SkillInstaller initial={original?.content ?? (example ? EXAMPLE_SKILL : "")} />
    </>
  );
}
