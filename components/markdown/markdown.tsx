"use client";
import dynamic from "next/dynamic";
import { memo } from "react";
import { boundMarkdown } from "@/components/markdown/bound-markdown";
import { splitMarkdown } from "@/components/markdown/split-markdown";

/** Parsed in the browser alone: a text that is built to be slow must not hold up the server. */
const ParsedMarkdown = dynamic(() => import("@/components/markdown/parsed-markdown").then((module) => module.ParsedMarkdown), {
  ssr: false,
  loading: () => null,
});

interface MarkdownProps {
  text: string;
  /** More is still to come: what is finished is drawn once, only the last piece again and again. */
  live?: boolean;
}

/** Markdown that a model or a stranger wrote, bounded and without anything that loads or runs. */
export const Markdown = memo(function Markdown({ text, live = false }: MarkdownProps) {
  const bounded = boundMarkdown(text);
  if (bounded.kind === "plain") return <PlainText text={bounded.text} omitted={bounded.omitted} />;
  const pieces = live ? splitMarkdown(bounded.text) : [bounded.text];
  return (
    <div className="prose-lathe">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
        <ParsedMarkdown key={index} text={piece} />
      ))}
      {bounded.omitted > 0 && <Omitted characters={bounded.omitted} />}
    </div>
  );
});

function PlainText({ text, omitted }: { text: string; omitted: number }) {
  return (
    <div>
      <pre className="whitespace-pre-wrap font-sans [overflow-wrap:anywhere]">{text}</pre>
      {omitted > 0 && <Omitted characters={omitted} />}
    </div>
  );
}

function Omitted({ characters }: { characters: number }) {
  return <p className="text-faint text-xs">{characters.toLocaleString("en")} more characters are not shown here.</p>;
}
