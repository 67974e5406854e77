"use client";
import { Upload } from "lucide-react";
import { useId, useRef, useState } from "react";
import { formatBytes } from "@/components/format/format-bytes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import { useInstallSkill } from "../use-install-skill";
import { ZipDrop } from "../zip-drop";
import { SkillCheck } from "./skill-check";
import { useCheckedSkill } from "./use-checked-skill";

/** A SKILL.md to write, read along as the service will read it; or a zip to pick or drop. */
export function SkillInstaller({ initial }: { initial: string }) {
  const [content, setContent] = useState(initial);
  const install = useInstallSkill();
  const checked = useCheckedSkill(content);
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const listId = useId();
  const bytes = new TextEncoder().encode(content).length;
  const refused = install.source?.kind === "text" && !install.taken ? install.problem : null;
  return (
    <ZipDrop install={install}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <Card aria-label="SKILL.md">
          <CardHeader title="SKILL.md">
            <input
              ref={picker}
              type="file"
              accept=".zip,application/zip"
              hidden
              aria-label="Zip to upload"
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (file) install.start({ kind: "zip", file });
                event.target.value = "";
              }}
            />
            <Button size="small" onClick={() => picker.current?.click()}>
              <Upload aria-hidden="true" />
              Upload zip
            </Button>
          </CardHeader>
          <div className="grid gap-3 p-4">
            {refused && (
              <Notice tone="danger" title="The skill was not installed" alert>
                {refused.message}
              </Notice>
            )}
            <Textarea
              ref={area}
              aria-label="SKILL.md"
              aria-describedby={listId}
              aria-invalid={checked && !checked.ok ? true : undefined}
              value={content}
              spellCheck={false}
              placeholder={"---\nname: my-skill\ndescription: What it does, and when to use it.\n---\n\n# How it is done\n"}
              className="min-h-80 max-h-[65dvh] font-mono text-xs leading-relaxed max-sm:text-[16px]"
              onChange={(event) => setContent(event.target.value)}
            />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <span className={bytes > SKILL_CONTENT_MAX_BYTES ? "text-danger text-xs" : "text-faint text-xs"}>
                {formatBytes(bytes)} of {formatBytes(SKILL_CONTENT_MAX_BYTES)}
              </span>
              <Button
                look="primary"
                busy={install.share !== null && install.source?.kind === "text"}
                disabled={content.trim() === ""}
                onClick={() => install.start({ kind: "text", content })}
              >
                Install skill
              </Button>
            </div>
          </div>
        </Card>
        <SkillCheck id={listId} checked={checked} onPick={(line) => area.current && selectLine(area.current, line)} />
      </div>
    </ZipDrop>
  );
}

/** Puts the selection on a line, which scrolls it into view. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
