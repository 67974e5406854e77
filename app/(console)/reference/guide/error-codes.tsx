import { ERROR_ADVICE } from "@/lib/console/reference/error-advice";
import { ERROR_CODES, ERROR_STATUS } from "@/lib/model/errors";
import { Words } from "../_parts/prose";

/** Every code that an answer may carry. Each has an anchor of its own, so that a message can link to it. */
export function ErrorCodes({ meanings }: { meanings: Map<string, string> }) {
  return (
    <ul aria-label="Error codes" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {ERROR_CODES.map((code) => (
        <li
          key={code}
          id={code}
          className="grid scroll-mt-20 gap-x-6 gap-y-1 px-4 py-3 text-sm target:bg-accent-soft md:grid-cols-[15rem_minmax(0,1fr)]"
        >
          <p>
            <a href={`#${code}`} className="break-all rounded-sm font-medium font-mono text-xs hover:underline">
              {code}
            </a>
            <span className="ml-2 font-mono text-faint text-xs md:ml-0 md:block">{ERROR_STATUS[code]}</span>
          </p>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              <Words text={meanings.get(code) ?? ""} />
            </p>
            <p className="mt-0.5 text-muted">
              <Words text={ERROR_ADVICE[code]} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
