import { FileText } from "lucide-react";
import { formatBytes } from "@/components/format/format-bytes";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { SkillDetail } from "@/lib/console/shapes/skill";

/** The skill's version, and the files beside its SKILL.md. */
export function SkillFiles({ skill }: { skill: SkillDetail }) {
  return (
    <Card aria-label="Files">
      <CardHeader title="Files" note={skill.files.length === 0 ? "none beside SKILL.md" : String(skill.files.length)} />
      {skill.files.length > 0 && (
        <ScrollRegion label="File list" className="max-h-80">
          <ul className="divide-y divide-line">
            {skill.files.map((file) => (
              <li key={file.path} className="flex items-center gap-2.5 px-4 py-2 text-sm">
                <FileText aria-hidden="true" className="size-4 shrink-0 text-faint" />
                <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path}>
                  {file.path}
                </span>
                <span className="shrink-0 text-faint text-xs tabular">{formatBytes(file.size_bytes)}</span>
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
