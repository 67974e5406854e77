"use client";
import { type DragEvent, type ReactNode, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { ReplaceSkillDialog } from "./replace-skill-dialog";
import type { SkillInstall } from "./use-install-skill";
import { ZipProgress } from "./zip-progress";

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
