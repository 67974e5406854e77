import { AgentGlyph } from "@/components/brand/agent-glyph";
import { EXAMPLE_SENTENCES } from "@/lib/console/example-sentences";

export function ExampleSentences({ onPick }: { onPick: (sentence: string) => void }) {
  return (
    <section aria-label="Examples">
      <h2 className="caption mb-2.5">Start from one of these</h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {EXAMPLE_SENTENCES.map((example) => (
          <li key={example.title}>
            <button
              type="button"
              onClick={() => onPick(example.sentence)}
              className="h-full w-full rounded-lg border border-line bg-surface p-4 text-left transition-colors hover:border-line-strong hover:bg-hover/40"
            >
              <span className="flex items-center gap-2.5 font-medium text-sm">
                <AgentGlyph agentId={example.title} className="size-6 rounded-sm" />
                {example.title}
              </span>
              <span className="mt-2 block text-muted text-sm">{example.sentence}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
