import { CircleAlert, TriangleAlert } from "lucide-react";
import type { TextProblem } from "@/lib/console/config/text-problem";

interface ProblemListProps {
  id: string;
  problems: readonly TextProblem[];
  onPick: (problem: TextProblem) => void;
}

/** What is wrong in a text, line by line; a press leads there. Read out when it changes. */
export function ProblemList({ id, problems, onPick }: ProblemListProps) {
  return (
    <div id={id} role="status" aria-label="Problems" className={problems.length > 0 ? "border-line border-b bg-sunken" : undefined}>
      {problems.length > 0 && (
        <ul className="max-h-32 overflow-y-auto py-1.5">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button
                type="button"
                onClick={() => onPick(problem)}
                className="flex w-full items-start gap-2 px-4 py-1.5 text-left text-xs transition-colors hover:bg-hover focus-visible:-outline-offset-2"
              >
                <Mark severity={problem.severity} />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <span className="text-muted">
                    Line {problem.line}, column {problem.column}
                    {problem.path && <code className="font-mono"> {problem.path}</code>}:
                  </span>{" "}
                  {problem.message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Mark({ severity }: { severity: TextProblem["severity"] }) {
  const Icon = severity === "error" ? CircleAlert : TriangleAlert;
  return (
    <>
      <Icon
        aria-hidden="true"
        className={severity === "error" ? "mt-px size-4 shrink-0 text-danger" : "mt-px size-4 shrink-0 text-warning"}
      />
      <span className="sr-only">{severity === "error" ? "Error" : "Warning"}</span>
    </>
  );
}
