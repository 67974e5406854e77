import Link from "next/link";
import { CopyButton } from "@/components/ui/copy-button";
import type { ApiSchema } from "@/lib/console/reference/api-document";

/** The ids that a request may name; prices and what is switched on stand on the page of the models. */
export function ModelIds({ schema }: { schema: ApiSchema | undefined }) {
  const ids = (schema?.enum ?? []).map(String);
  return (
    <>
      <ul aria-label="Model ids" className="flex flex-wrap gap-x-4 gap-y-1">
        {ids.map((id) => (
          <li key={id} className="flex min-w-0 items-center font-mono text-muted text-xs">
            <span className="break-all">{id}</span>
            <CopyButton text={id} what={`model id ${id}`} className="size-6" />
          </li>
        ))}
      </ul>
      <Link href="/models" className="justify-self-start text-accent text-sm underline underline-offset-4">
        Models and prices
      </Link>
    </>
  );
}
