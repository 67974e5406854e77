import { CodeBlock } from "@/components/ui/code-block";
import type { ReferenceAnswer } from "@/lib/console/reference/list-answers";

/** What a success looks like: the document's example of the first one; of a stream, its lines. */
export function ExampleAnswer({ answers }: { answers: ReferenceAnswer[] }) {
  const answer = answers.find(({ contents }) => contents.some(({ examples }) => examples.length > 0));
  const content = answer?.contents.find(({ examples }) => examples.length > 0);
  if (!answer || !content) return null;
  const isStream = content.mediaType === "application/x-ndjson";
  const shown = isStream ? content.examples : content.examples.slice(0, 1);
  const code = shown.map((example) => (typeof example === "string" ? example : JSON.stringify(example, null, isStream ? 0 : 2))).join("\n");
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-sm">
        <span className="font-medium">Answer</span> <span className="font-mono text-success text-xs">{answer.status}</span>
      </p>
      <CodeBlock code={code} label="example answer" />
    </div>
  );
}
