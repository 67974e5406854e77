"use client";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Progress } from "@/components/ui/progress";
import type { SkillInstall } from "./use-install-skill";

/** A zip on its way, or why it was refused. */
export function ZipProgress({ install }: { install: SkillInstall }) {
  const { source, share, problem, taken } = install;
  if (source?.kind !== "zip" || taken) return null;
  if (problem) {
    return (
      <Notice
        tone="danger"
        title={`${source.file.name} was not installed`}
        alert
        action={
          <Button size="small" onClick={install.reset}>
            Put away
          </Button>
        }
      >
        {problem.message}
      </Notice>
    );
  }
  if (share === null) return null;
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="mb-2 truncate">{share < 1 ? `Uploading ${source.file.name} …` : `Checking ${source.file.name} …`}</p>
      <Progress label={`Upload of ${source.file.name}`} share={share} />
    </div>
  );
}
