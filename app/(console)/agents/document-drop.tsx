"use client";
import { FileUp } from "lucide-react";
import { type DragEvent, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";

/** Takes one file, picked or dropped. */
export function DocumentDrop({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={mergeClasses(
        "flex cursor-pointer items-center gap-3 rounded-lg border border-dashed px-4 py-3.5 text-sm focus-within:outline-2 focus-within:outline-accent",
        over ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-hover/60",
      )}
    >
      <FileUp aria-hidden="true" className="size-5 text-faint" />
      <span>
        <span className="font-medium">Choose a file</span> <span className="text-muted">or drop it here, or paste below.</span>
      </span>
      <input
        type="file"
        accept=".yaml,.yml,.json,application/yaml"
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
          // The same file, mended, can be picked again.
          event.target.value = "";
        }}
      />
    </label>
  );
}
