"use client";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { SkillInstall } from "./use-install-skill";

/** Asks before an installed skill gets another text. */
export function ReplaceSkillDialog({ install }: { install: SkillInstall }) {
  const { source, taken, problem, reset, start } = install;
  const name = problem?.details.find(({ path }) => path === "replace")?.message ?? "A skill of this name is installed already";
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
