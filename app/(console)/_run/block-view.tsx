"use client";
import { memo } from "react";
import { Markdown } from "@/components/markdown/markdown";
import type { Block } from "@/lib/console/transcript/block";
import { ApprovalBlock } from "./approval-block";
import { ArtifactBlock } from "./artifact-block";
import { SearchBlock } from "./search-block";
import { ThinkingBlock } from "./thinking-block";
import { TodoBlock } from "./todo-block";
import { ToolBlock } from "./tool-block";

/** One piece of the timeline. Drawn again only when its block is another object. */
export const BlockView = memo(function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "message":
      return block.text.trim() === "" ? null : <Markdown text={block.text} live={!block.done} />;
    case "thinking":
      return <ThinkingBlock block={block} />;
    case "todo":
      return <TodoBlock block={block} />;
    case "search":
      return <SearchBlock block={block} />;
    case "tool":
      return <ToolBlock block={block} />;
    case "artifact":
      return <ArtifactBlock artifact={block.artifact} />;
    case "approval":
      return <ApprovalBlock block={block} />;
  }
});
