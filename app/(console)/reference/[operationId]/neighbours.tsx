import Link from "next/link";
import type { ReferenceOperation } from "@/lib/console/reference/list-operations";

/** The operations before and after this one. */
export function Neighbours({ before, after }: { before: ReferenceOperation | undefined; after: ReferenceOperation | undefined }) {
  return (
    <nav aria-label="Other operations" className="grid grid-cols-2 gap-3 border-line border-t pt-4 text-sm">
      <span>{before && <Neighbour word="Before" operation={before} />}</span>
      <span className="text-right">{after && <Neighbour word="Next" operation={after} />}</span>
    </nav>
  );
}

function Neighbour({ word, operation }: { word: string; operation: ReferenceOperation }) {
  return (
    <Link href={`/reference/${operation.id}`} prefetch={false} className="inline-block rounded-sm hover:underline hover:underline-offset-4">
      <span className="block text-faint text-xs">{word}</span>
      {operation.summary}
    </Link>
  );
}
