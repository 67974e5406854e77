"use client";
import { toEditorText } from "@/lib/console/agent-edit/line-ends";
import type { AgentVersion } from "@/lib/console/shapes/agent-version";
import { textOfPart, VERSION_PARTS } from "@/lib/console/versions/version-parts";
import { LazyCodeEditor } from "../../../_editor/lazy-editors";

/** All that a version says. */
export function VersionWhole({ version }: { version: AgentVersion }) {
  return (
    <div className="divide-y divide-line">
      <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2">
        {VERSION_PARTS.filter(({ kind }) => kind === "line").map((part) => (
          <div key={part.part}>
            <dt className="caption">{part.label}</dt>
            <dd className="mt-0.5 text-sm [overflow-wrap:anywhere]">{textOfPart(version, part) || "–"}</dd>
          </div>
        ))}
      </dl>
      {VERSION_PARTS.map((part) => {
        if (part.kind === "line") return null;
        const text = textOfPart(version, part);
        return (
          <section key={part.part} aria-label={part.label}>
            <h3 className="px-4 pt-3 font-medium text-sm">{part.label}</h3>
            {text ? (
              <LazyCodeEditor
                value={toEditorText(text)}
                language={part.kind}
                label={`${part.label} of version ${version.number}`}
                readOnly
              />
            ) : (
              <p className="px-4 pt-1 pb-4 text-muted text-sm">{part.part === "dashboard_template" ? "It has no dashboard." : "Empty."}</p>
            )}
          </section>
        );
      })}
    </div>
  );
}
