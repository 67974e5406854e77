import { Notice } from "@/components/ui/notice";
import type { ConsoleError } from "@/lib/console/console-error";

interface ImportProblemProps {
  error: ConsoleError;
  onGo: (line: number, column: number) => void;
}

/** Why a document was refused, place by place. */
export function ImportProblem({ error, onGo }: ImportProblemProps) {
  const places = error.details.filter((detail) => detail.line !== undefined);
  return (
    <Notice tone="danger" title="The agent was not imported" alert>
      {places.length === 0 ? (
        error.message
      ) : (
        <ul className="mt-1 grid gap-1">
          {places.map(({ path, message, line = 1, column = 1 }) => (
            <li key={`${line}:${column} ${message}`}>
              <button type="button" onClick={() => onGo(line, column)} className="text-left underline-offset-4 hover:underline">
                {path && <code className="mr-1 font-mono text-foreground text-xs">{path}</code>}
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
