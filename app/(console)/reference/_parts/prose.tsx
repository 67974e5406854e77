import { Fragment } from "react";

/** The document's own texts: paragraphs with `code` and **strong** words. Ours, and so not read as a stranger's Markdown is. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <div className={className}>
      {text.split("\n\n").map((paragraph) => (
        <p key={paragraph} className="[overflow-wrap:anywhere] [&+p]:mt-2">
          <Words text={paragraph} />
        </p>
      ))}
    </div>
  );
}

/** One line of them. */
export function Words({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    const key = `${index} ${piece}`;
    if (piece.startsWith("`"))
      return (
        <code key={key} className="rounded-sm border border-line bg-sunken px-1 font-mono text-[0.92em] text-foreground">
          {piece.slice(1, -1)}
        </code>
      );
    if (piece.startsWith("**"))
      return (
        <strong key={key} className="font-medium text-foreground">
          {piece.slice(2, -2)}
        </strong>
      );
    return <Fragment key={key}>{piece}</Fragment>;
  });
}
