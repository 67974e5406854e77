"use client";
import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";

const COMPONENTS: Components = {
  // A page has one heading of the first level, its own.
  h1: "h2",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  // A remote image would tell its host who reads this, and could carry data out in its address.
  img: ({ alt, src }) => (
    <span className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 text-faint text-xs">
      Image{alt ? `: ${alt}` : ""}
      {typeof src === "string" && src ? " (not loaded)" : ""}
    </span>
  ),
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};
const REMARK = [remarkGfm];
const REHYPE = [rehypeSanitize];

/** One text, parsed once. Only give it what `boundMarkdown` let through. */
export const ParsedMarkdown = memo(function ParsedMarkdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});
