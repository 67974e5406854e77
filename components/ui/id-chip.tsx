import { shortenId } from "@/components/format/format";
import { CopyButton } from "@/components/ui/copy-button";

/** An id: its end in mono, the whole in the title and in the clipboard. */
export function IdChip({ id, what }: { id: string; what: string }) {
  return (
    <span className="inline-flex items-center gap-0.5 font-mono text-faint text-xs">
      <span title={id}>{shortenId(id)}</span>
      <CopyButton text={id} what={what} className="size-6" />
    </span>
  );
}
