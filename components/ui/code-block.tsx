import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";

/**
 * Code to read and to copy. `label` names it for the copy button and for screen readers; `wraps`:
 * it holds sentences, which are no lines of code.
 */
export function CodeBlock({
  code,
  label,
  wraps = false,
}: {
  code: string;
  label: string;
  wraps?: boolean;
}) {
  return (
    <div className="relative min-w-0">
      <ScrollRegion
        label={label}
        className="max-h-96 rounded-lg border border-line bg-sunken py-3 pr-12 pl-3.5"
      >
        <pre
          className={`font-mono text-xs leading-relaxed ${wraps ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : ""}`}
        >
          <code>{code}</code>
        </pre>
      </ScrollRegion>
      <CopyButton text={code} what={label} className="absolute top-1.5 right-1.5 bg-sunken" />
    </div>
  );
}
