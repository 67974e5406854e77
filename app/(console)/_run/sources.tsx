import { FileText, Globe } from "lucide-react";
import type { Citation } from "@/lib/model/run/run-result";

/** What an answer rests on: each source once, with what it is said to show. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  const bySource = new Map<string, Citation[]>();
  for (const citation of citations) {
    const key = nameOf(citation.source);
    bySource.set(key, [...(bySource.get(key) ?? []), citation]);
  }
  return (
    <section aria-label="Sources" className="grid gap-2">
      <h3 className="font-medium text-muted text-xs">Sources that the answer names</h3>
      <ul className="grid gap-2">
        {[...bySource].map(([key, [first, ...others]]) =>
          first ? (
            <li key={key} className="flex gap-2 text-sm">
              <SourceIcon type={first.source.type} />
              <div className="min-w-0">
                <SourceName source={first.source} />
                <p className="line-clamp-2 text-faint text-xs">
                  {first.text}
                  {others.length > 0 && ` · and ${others.length} more`}
                </p>
              </div>
            </li>
          ) : null,
        )}
      </ul>
    </section>
  );
}

function nameOf(source: Citation["source"]): string {
  return source.type === "web" ? source.url : source.path;
}

function SourceIcon({ type }: { type: Citation["source"]["type"] }) {
  const Icon = type === "web" ? Globe : FileText;
  return <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />;
}

function SourceName({ source }: { source: Citation["source"] }) {
  if (source.type === "file") return <p className="truncate font-mono text-xs">{source.path}</p>;
  return (
    <a
      href={source.url}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className="block truncate text-accent underline-offset-2 hover:underline"
    >
      {source.title || source.url}
    </a>
  );
}
