"use client";
import { Upload } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { formatBytes } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Textarea } from "@/components/ui/textarea";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import type { ParsedSkill } from "@/lib/model/skill/parse-skill";
import { useInstallSkill, ZipDrop } from "../skill-upload";

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
              <Alert tone="danger" title="The skill was not installed" alert>
                {refused.message}
              </Alert>
            )}
            <Textarea
              ref={area}
              aria-label="SKILL.md"
              aria-describedby={listId}
              aria-invalid={checked && !checked.ok ? true : undefined}
              value={content}
              spellCheck={false}
              placeholder={
                "---\nname: my-skill\ndescription: What it does, and when to use " +
                "it.\n---\n\n# How it is done\n"
              }
              className="min-h-80 max-h-[65dvh] font-mono text-xs leading-relaxed max-sm:text-[16px]"
              onChange={(event) => setContent(event.target.value)}
            />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <span
                className={
                  bytes > SKILL_CONTENT_MAX_BYTES ? "text-danger text-xs" : "text-faint text-xs"
                }
              >
                {formatBytes(bytes)} of {formatBytes(SKILL_CONTENT_MAX_BYTES)}
              </span>
              <Button
                variant="primary"
                loading={install.share !== null && install.source?.kind === "text"}
                disabled={content.trim() === ""}
                onClick={() => install.start({ kind: "text", content })}
              >
                Install skill
              </Button>
            </div>
          </div>
        </Card>
        <SkillCheck
          id={listId}
          checked={checked}
          onPick={(line) => area.current && selectLine(area.current, line)}
        />
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

const WAIT_MILLISECONDS = 250;

/**
 * The text as the service will read it, shortly after it was last changed; null while it is empty
 * or was never read yet.
 */
function useCheckedSkill(content: string): ParsedSkill | null {
  const [checked, setChecked] = useState<ParsedSkill | null>(null);
  useEffect(() => {
    if (content.trim() === "") return setChecked(null);
    let late = false;
    const timer = setTimeout(() => {
      // The parser is loaded only where a skill is written.
      void import("@/lib/model/skill/parse-skill").then(
        ({ parseSkill }) => late || setChecked(parseSkill(content)),
      );
    }, WAIT_MILLISECONDS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [content]);
  return checked;
}

interface SkillCheckProps {
  id: string;
  checked: ParsedSkill | null;
  /** Leads to a line of the text. */
  onPick: (line: number) => void;
}

/** What a run would be told of the skill, or what has to be corrected first. */
function SkillCheck({ id, checked, onPick }: SkillCheckProps) {
  return (
    <Card aria-label="Check">
      <CardHeader title={checked && !checked.ok ? "To be corrected" : "What a run is told"} />
      <div id={id} aria-live="polite" className="p-4 text-sm">
        {checked === null && (
          <p className="text-muted">
            The head between the two <code className="font-mono text-xs">---</code> lines names the
            skill and says when to use it. Name and description are all that a run sees until it
            asks for more.
          </p>
        )}
        {checked?.ok && (
          <dl className="grid gap-2.5">
            <Fact name="Name">
              <code className="font-mono text-xs">{checked.skill.name}</code>
            </Fact>
            <Fact name="Description">{checked.skill.description}</Fact>
            {checked.skill.license && <Fact name="License">{checked.skill.license}</Fact>}
            {checked.skill.compatibility && (
              <Fact name="Compatibility">{checked.skill.compatibility}</Fact>
            )}
          </dl>
        )}
        {checked && !checked.ok && (
          <ScrollRegion label="Faults" className="max-h-80">
            <ul className="grid gap-2">
              {checked.errors.map((error) => (
                <li key={`${error.line}:${error.column}:${error.message}`}>
                  <button
                    type="button"
                    onClick={() => onPick(error.line)}
                    className="text-left hover:underline"
                  >
                    <span className="font-mono text-faint text-xs">
                      Line {error.line}
                      {error.path && ` · ${error.path}`}
                    </span>
                    <span className="block text-danger [overflow-wrap:anywhere]">
                      {error.message}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </ScrollRegion>
        )}
      </div>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-faint text-xs">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
