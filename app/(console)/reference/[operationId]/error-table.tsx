import Link from "next/link";
import type { OperationError } from "@/lib/console/reference/list-answers";
import { Words } from "../_parts/prose";
import { Section } from "../_parts/section";

/** The codes that the operation may answer with; each leads to what to do about it. */
export function ErrorTable({ errors }: { errors: OperationError[] }) {
  return (
    <Section id="errors" title="Errors">
      <ul className="divide-y divide-line">
        {errors.map(({ status, code, description }) => (
          <li key={code} className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 py-2 text-sm">
            <span className="font-mono text-faint text-xs leading-5">{status}</span>
            <div className="min-w-0">
              <Link
                href={`/reference/guide#${code}`}
                prefetch={false}
                className="break-all font-mono text-accent text-xs underline underline-offset-4"
              >
                {code}
              </Link>
              <p className="text-muted [overflow-wrap:anywhere]">
                <Words text={description} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
