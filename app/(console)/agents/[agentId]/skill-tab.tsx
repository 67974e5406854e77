"use client";
import { useState } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Segmented } from "@/components/ui/segmented";

/** The agent's instructions, as a page or as they are written. */
export function SkillTab({ skill }: { skill: string }) {
  const [view, setView] = useState<"page" | "source">("page");
  return (
    <Card aria-label="Skill">
      <CardHeader title="Skill" note="the instructions that each run follows">
        <Segmented
          label="View"
          value={view}
          options={[
            { value: "page", label: "Page" },
            { value: "source", label: "Source" },
          ]}
          onChange={setView}
        />
        <CopyButton text={skill} what="skill" />
      </CardHeader>
      {view === "page" ? (
        <div className="max-w-3xl px-5 py-5">
          <Markdown text={withoutFrontmatter(skill)} />
        </div>
      ) : (
        <ScrollRegion label="Skill source" className="max-h-[70dvh] px-5 py-4">
          <pre className="whitespace-pre-wrap font-mono text-xs leading-relaxed">{skill}</pre>
        </ScrollRegion>
      )}
    </Card>
  );
}

/** The head of a SKILL.md is data, not text. */
function withoutFrontmatter(skill: string): string {
  if (!skill.startsWith("---\n")) return skill;
  const end = skill.indexOf("\n---", 4);
  return end === -1 ? skill : skill.slice(end + 4).replace(/^-*\n/, "");
}
