"use client";
import { Card, CardHeader } from "@/components/ui/card";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { ParsedSkill } from "@/lib/model/skill/parse-skill";

interface SkillCheckProps {
  id: string;
  checked: ParsedSkill | null;
  /** Leads to a line of the text. */
  onPick: (line: number) => void;
}

/** What a run would be told of the skill, or what has to be mended first. */
export function SkillCheck({ id, checked, onPick }: SkillCheckProps) {
  return (
    <Card aria-label="Check">
      <CardHeader title={checked && !checked.ok ? "To be mended" : "What a run is told"} />
      <div id={id} aria-live="polite" className="p-4 text-sm">
        {checked === null && (
          <p className="text-muted">
            The head between the two <code className="font-mono text-xs">---</code> lines names the skill and says when to use it. Name and
            description are all that a run sees until it asks for more.
          </p>
        )}
        {checked?.ok && (
          <dl className="grid gap-2.5">
            <Fact name="Name">
              <code className="font-mono text-xs">{checked.skill.name}</code>
            </Fact>
            <Fact name="Description">{checked.skill.description}</Fact>
            {checked.skill.license && <Fact name="License">{checked.skill.license}</Fact>}
            {checked.skill.compatibility && <Fact name="Compatibility">{checked.skill.compatibility}</Fact>}
          </dl>
        )}
        {checked && !checked.ok && (
          <ScrollRegion label="Faults" className="max-h-80">
            <ul className="grid gap-2">
              {checked.errors.map((error) => (
                <li key={`${error.line}:${error.column}:${error.message}`}>
                  <button type="button" onClick={() => onPick(error.line)} className="text-left hover:underline">
                    <span className="font-mono text-faint text-xs">
                      Line {error.line}
                      {error.path && ` · ${error.path}`}
                    </span>
                    <span className="block text-danger [overflow-wrap:anywhere]">{error.message}</span>
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
