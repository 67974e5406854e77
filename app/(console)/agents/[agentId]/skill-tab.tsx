"use client";
import { useState } from "react";
import { formatBytes } from "@/components/format/format-bytes";
import { Markdown } from "@/components/markdown/markdown";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Segmented } from "@/components/ui/segmented";
import { withLineEndsOf } from "@/lib/console/agent-edit/line-ends";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import { LazyCodeEditor } from "../../_editor/lazy-editors";
import { LazyConflictView } from "./_editing/lazy-conflict-view";
import { OutdatedNotice } from "./_editing/outdated-notice";
import { SaveBar } from "./_editing/save-bar";
import { SaveProblem } from "./_editing/save-problem";
import { useTextEditing } from "./_editing/use-text-editing";

const utf8 = new TextEncoder();

/** The agent's instructions, as a page to read or as Markdown to write. */
export function SkillTab({ agent }: { agent: AgentRecord }) {
  const editing = useTextEditing(agent, "skill_content", "Skill");
  const { draft, conflict, error } = editing;
  const archived = agent.status === "archived";
  const [view, setView] = useState<"page" | "source">(draft.dirty ? "source" : "page");
  if (conflict)
    return (
      <LazyConflictView
        key={conflict.current_version_id}
        editing={editing}
        conflict={conflict}
        field="skill_content"
        what="skill"
        language="markdown"
      />
    );
  const bytes = utf8.encode(withLineEndsOf(draft.base, draft.text)).length;
  return (
    <Card aria-label="Skill" className="overflow-visible">
      <CardHeader title="Skill" note="the instructions that each run follows">
        <Segmented
          label="View"
          value={view}
          options={[
            { value: "page", label: "Page" },
            { value: "source", label: archived ? "Source" : "Edit" },
          ]}
          onChange={setView}
        />
        <CopyButton text={draft.text} what="skill" />
      </CardHeader>
      {draft.outdated && <OutdatedNotice what="skill" />}
      {error && <SaveProblem error={error} />}
      {view === "page" ? (
        <div className="max-w-3xl px-5 py-5">
          <Markdown text={withoutFrontmatter(draft.text)} />
        </div>
      ) : (
        <LazyCodeEditor value={draft.text} onChange={draft.edit} language="markdown" label="Skill Markdown" readOnly={archived} />
      )}
      {!archived && (view === "source" || draft.dirty) && (
        <SaveBar editing={editing} what="skill" size={<Size bytes={bytes} />} hindrance={hindranceOf(bytes)} />
      )}
    </Card>
  );
}

function Size({ bytes }: { bytes: number }) {
  const near = bytes > SKILL_CONTENT_MAX_BYTES * 0.9;
  return (
    <span className={near ? "text-warning tabular" : "tabular"}>
      {near ? `${bytes.toLocaleString("en")} of ${SKILL_CONTENT_MAX_BYTES.toLocaleString("en")} bytes` : `${formatBytes(bytes)} of 256 KB`}
    </span>
  );
}

function hindranceOf(bytes: number): string | null {
  const over = bytes - SKILL_CONTENT_MAX_BYTES;
  return over > 0 ? `Too long by ${over.toLocaleString("en")} bytes. Shorten it to save.` : null;
}

/** The head of a SKILL.md is data, not text. */
function withoutFrontmatter(skill: string): string {
  if (!skill.startsWith("---\n")) return skill;
  const end = skill.indexOf("\n---", 4);
  return end === -1 ? skill : skill.slice(end + 4).replace(/^-*\n/, "");
}
