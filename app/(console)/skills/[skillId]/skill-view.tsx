"use client";
import { useState } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Segmented } from "@/components/ui/segmented";
import { consolePaths } from "@/lib/console/console-paths";
import type { SkillDetail } from "@/lib/console/shapes/skill";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { splitFrontmatter } from "@/lib/model/skill/split-frontmatter";
import { SkillFiles } from "./skill-files";

/** A skill's text, as a page or as it is written, and what lies beside it. */
export function SkillView({ skillId }: { skillId: string }) {
  const { data: skill } = useConsoleQuery<SkillDetail>(consolePaths.skill(skillId));
  const [view, setView] = useState<"page" | "source">("page");
  if (!skill) return null;
  const body = splitFrontmatter(skill.content)?.body ?? skill.content;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <Card aria-label="SKILL.md">
        <CardHeader title="SKILL.md">
          <Segmented
            label="View"
            value={view}
            options={[
              { value: "page", label: "Page" },
              { value: "source", label: "Source" },
            ]}
            onChange={setView}
          />
          <CopyButton text={skill.content} what="SKILL.md" />
        </CardHeader>
        {view === "page" ? (
          <div className="min-h-40 max-w-3xl px-5 py-5">
            {body.trim() === "" ? (
              <p className="text-muted text-sm">This skill has a name and a description, and no text.</p>
            ) : (
              <Markdown text={body} />
            )}
          </div>
        ) : (
          <ScrollRegion label="SKILL.md source" className="max-h-[70dvh] px-5 py-4">
            <pre className="whitespace-pre-wrap font-mono text-xs leading-relaxed [overflow-wrap:anywhere]">{skill.content}</pre>
          </ScrollRegion>
        )}
      </Card>
      <SkillFiles skill={skill} />
    </div>
  );
}
