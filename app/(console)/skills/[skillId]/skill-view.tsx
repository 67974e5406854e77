"use client";

import { FileText, PencilLine } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { formatBytes } from "@/components/format/format";
import { Markdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { SkillDetail } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { splitFrontmatter } from "@/lib/model/skill/split-frontmatter";
import { DeleteButton } from "../../_shared/delete-button";
import { SkillSwitch } from "../skill-switch";

/** A skill's text, as a page or as it is written, and what lies beside it. */
export function SkillView({ skillId }: { skillId: string }) {
  const { data: skill } = useConsoleQuery(reads.skill(skillId));
  const [view, setView] = useState<"page" | "source">("page");
  if (!skill) return null;
  const body = splitFrontmatter(skill.content)?.body ?? skill.content;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <Card aria-label="SKILL.md">
        <CardHeader title="SKILL.md">
          <ToggleGroup
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
              <p className="text-muted text-sm">
                This skill has a name and a description, and no text.
              </p>
            ) : (
              <Markdown text={body} />
            )}
          </div>
        ) : (
          <ScrollRegion label="SKILL.md source" className="max-h-[70dvh] px-5 py-4">
            <pre className="whitespace-pre-wrap font-mono text-xs leading-relaxed [overflow-wrap:anywhere]">
              {skill.content}
            </pre>
          </ScrollRegion>
        )}
      </Card>
      <SkillFiles skill={skill} />
    </div>
  );
}

/** The skill's version, and the files beside its SKILL.md. */
function SkillFiles({ skill }: { skill: SkillDetail }) {
  return (
    <Card aria-label="Files">
      <CardHeader
        title="Files"
        note={skill.files.length === 0 ? "none beside SKILL.md" : String(skill.files.length)}
      />
      {skill.files.length > 0 && (
        <ScrollRegion label="File list" className="max-h-80">
          <ul className="divide-y divide-line">
            {skill.files.map((file) => (
              <li key={file.path} className="flex items-center gap-2.5 px-4 py-2 text-sm">
                <FileText aria-hidden="true" className="size-4 shrink-0 text-faint" />
                <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path}>
                  {file.path}
                </span>
                <span className="shrink-0 text-faint text-xs tabular">
                  {formatBytes(file.size_bytes)}
                </span>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
      <dl className="grid gap-2 border-line border-t px-4 py-3.5 text-sm">
        <div className="flex justify-between gap-4">
          <dt className="text-faint">Version</dt>
          <dd className="tabular">{skill.version}</dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt className="text-faint">Installed</dt>
          <dd>
            <RelativeTime time={skill.created_at} />
          </dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt className="text-faint">Changed</dt>
          <dd>
            <RelativeTime time={skill.updated_at} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

/** What can be done with a skill of one's own. */
export function SkillActions({ skillId }: { skillId: string }) {
  const { data: skill } = useConsoleQuery(reads.skill(skillId));
  const router = useRouter();
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/skills/{skill_id}", { params: { path: { skill_id: skillId } } }),
    {
      stale: [reads.skills],
      done: `${skill?.name} was deleted.`,
      onSuccess: () => router.push("/skills"),
    },
  );
  if (!skill) return null;
  return (
    <>
      <span className="mr-2 inline-flex items-center gap-2 text-muted text-sm">
        {skill.enabled ? "Enabled" : "Disabled"}
        <SkillSwitch skill={skill} />
      </span>
      <Button asChild>
        <Link href={`/skills/new?from=${skillId}`}>
          <PencilLine aria-hidden="true" />
          New version
        </Link>
      </Button>
      <DeleteButton noun="skill" name={skill.name} remove={remove}>
        Its text and files are deleted, and runs are no longer told of it. This cannot be undone;
        switching it off can.
      </DeleteButton>
    </>
  );
}
