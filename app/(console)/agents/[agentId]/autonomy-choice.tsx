import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { AUTONOMY_LABELS } from "@/lib/console/autonomy-labels";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";

const CHOICES: { value: WriteAutonomy; text: string }[] = [
  { value: "full_auto", text: "It sends, creates and changes things outside at once, without asking." },
  { value: "approval_required", text: "Each such call waits until you approve or reject it; the run waits with it." },
  { value: "blocked", text: "Such calls are refused, and the agent is told so. It can still read." },
];

/** How far the agent may write outside the service, each in a sentence. */
export function AutonomyChoice({ registration }: { registration: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-hint`} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Write autonomy</legend>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line-strong">
        {CHOICES.map(({ value, text }) => (
          <label
            key={value}
            className="flex cursor-pointer gap-3 px-3 py-2 text-sm transition-colors hover:bg-hover/60 has-checked:bg-accent-soft"
          >
            <input type="radio" value={value} {...registration} className="mt-0.5 size-4 shrink-0 accent-(--accent)" />
            <span>
              <span className="font-medium">{AUTONOMY_LABELS[value]}</span>
              <span className="block text-muted text-xs">{text}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="text-faint text-xs">
        It is about the agent's own connectors: HTTP tools that do more than read, and MCP tools that are not marked as reading only. The
        config's permissions can only make it stricter.
      </p>
    </fieldset>
  );
}
