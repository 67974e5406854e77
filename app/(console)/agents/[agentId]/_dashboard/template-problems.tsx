import type { TextError } from "@/lib/model/agent-config/yaml/text-error";

/** What keeps a template from being saved, each with its place. */
export function TemplateProblems({ errors }: { errors: readonly TextError[] }) {
  return (
    <ul aria-label="Problems of the template" className="grid gap-1.5 border-line border-t px-4 py-3 text-sm">
      {errors.map((error) => (
        <li key={`${error.line}-${error.column}-${error.message}`} className="text-danger [overflow-wrap:anywhere]">
          <span className="font-mono text-xs">
            {error.line}:{error.column}
          </span>{" "}
          {error.path && <code className="font-mono text-xs">{error.path}</code>} {error.message}
        </li>
      ))}
    </ul>
  );
}
