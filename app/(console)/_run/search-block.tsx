import { Globe } from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import type { BlockOf } from "./block-of";

export function SearchBlock({ block }: { block: BlockOf<"search"> }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <p className="flex items-center gap-2 px-3.5 py-2 font-medium text-sm">
        {block.done ? <Globe aria-hidden="true" className="size-4 text-faint" /> : <Spinner className="text-accent" />}
        {block.title || "Search"}
      </p>
      {block.items.length > 0 && (
        <ul className="grid gap-1 border-line border-t px-3.5 py-2.5">
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results have no id, and an address may come twice
            <li key={index} className="flex min-w-0 items-baseline gap-2 text-sm">
              <SourceLink title={item.title} url={item.url} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Only web addresses become links: the list comes from a model. */
function SourceLink({ title, url }: { title: string; url: string }) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return <span className="truncate">{title || url}</span>;
  return (
    <>
      <a
        href={parsed.href}
        target="_blank"
        rel="noreferrer noopener nofollow"
        className="truncate text-accent underline-offset-4 hover:underline"
      >
        {title || parsed.hostname}
      </a>
      <span className="shrink-0 text-faint text-xs">{parsed.hostname}</span>
    </>
  );
}
