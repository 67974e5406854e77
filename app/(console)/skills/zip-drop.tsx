"use client";
import { type DragEvent, type ReactNode, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Progress } from "@/components/ui/progress";
import { detailsOf } from "@/lib/console/errors";
import type { SkillInstall } from "./use-install-skill";

/** A place that takes a skill's zip from the pointer, and says how its installation goes. */
export function ZipDrop({ install, children }: { install: SkillInstall; children: ReactNode }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) install.start({ kind: "zip", file });
  };
  return (
    <section
      aria-label="Skills, and a place to drop a zip"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(event.relatedTarget instanceof Node ? event.relatedTarget : null) || setOver(false)
      }
      onDrop={drop}
      className={mergeClasses(
        "grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg",
        over && "outline-2 outline-accent outline-dashed outline-offset-2",
      )}
    >
      <ZipProgress install={install} />
      {children}
      <ReplaceSkillDialog install={install} />
    </section>
  );
}

/** Asks before an installed skill gets another text. */
function ReplaceSkillDialog({ install }: { install: SkillInstall }) {
  const { source, taken, problem, reset, start } = install;
  const name = detailsOf(problem).find(({ path }) => path === "replace")?.message ?? "A skill of this name is installed already";
  return (
    <Dialog
      open={taken}
      onOpenChange={(open) => !open && reset()}
      title="Replace the installed skill?"
      description={
        <>
          {name}. Replacing makes this its next version; runs read the new text from then on.
          {source?.kind === "text" && " Files beside its SKILL.md are removed, as a text has none: upload a zip to keep them."}
        </>
      }
    >
      <DialogActions>
        <Button onClick={reset}>Keep the installed one</Button>
        <Button look="primary" onClick={() => source && start(source, true)}>
          Replace it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A zip on its way, or why it was refused. */
function ZipProgress({ install }: { install: SkillInstall }) {
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
