import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { EXAMPLE_SENTENCES } from "@/lib/console/example-sentences";

/** Why the list is empty, and what to do about it. */
export function NoAgents({ query, archived }: { query: string; archived: boolean }) {
  if (query) {
    return (
      <EmptyState title={`Nothing found for “${query}”`} seed="search">
        Names and descriptions were searched. Try fewer words.
      </EmptyState>
    );
  }
  if (archived) {
    return (
      <EmptyState title="Nothing is archived" seed="archive">
        An archived agent can no longer be run or changed; its runs stay readable.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        title="Make your first agent"
        seed="first"
        action={
          <Button asChild look="primary">
            <Link href="/agents/new">Create agent</Link>
          </Button>
        }
      >
        One sentence is enough. It is turned into instructions, inputs, tools and limits, which you can read and change.
      </EmptyState>
      <ul className="grid gap-px border-line border-t bg-line sm:grid-cols-2">
        {EXAMPLE_SENTENCES.map((example) => (
          <li key={example.title} className="bg-surface">
            <Link
              href={`/agents/new?input=${encodeURIComponent(example.sentence)}`}
              className="block h-full px-5 py-4 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <span className="block font-medium text-sm">{example.title}</span>
              <span className="mt-1 block text-muted text-sm">{example.sentence}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
