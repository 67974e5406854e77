import { CopyButton } from "@/components/ui/copy-button";

/** Code to read and to copy. `label` names it for the copy button and for screen readers. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="group relative min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-lg border border-line bg-sunken py-3 pr-12 pl-3.5 font-mono text-xs leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={label} className="absolute top-1.5 right-1.5 bg-sunken" />
    </div>
  );
}
