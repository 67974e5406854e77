"use client";
import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import { Markdown } from "@/components/markdown/markdown";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Message } from "@/lib/console/shapes/conversation";
import type { Run } from "@/lib/console/shapes/run";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import type { ConversationFamily } from "@/lib/model/run/run-status";
import { InputValues } from "../_run/input-values";

const USER_MAX_CHARACTERS = 20_000;

interface MessageViewProps {
  message: Message;
  run: Run | undefined;
  family: ConversationFamily;
}

/** Something that was said, by whom, and in which run. */
export function MessageView({ message, run, family }: MessageViewProps) {
  const bySuperAgent = family === "super_agent";
  const byUser = message.role === "user";
  // An answer speaks for itself; without one the reader wants to know why.
  const unanswered = byUser && run !== undefined && run.status !== "completed";
  return (
    <li className={byUser ? "bg-sunken px-5 py-4" : "px-5 py-4"}>
      <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <span className="font-medium">{byUser ? (bySuperAgent ? "You" : "Input") : bySuperAgent ? "Super-agent" : "Agent"}</span>
        <span className="text-faint">
          <RelativeTime time={message.created_at} />
        </span>
        {unanswered && <RunStatusBadge status={run.status} waiting={run.requires_action !== null} />}
        {/* The super-agent's runs are read here and nowhere else. */}
        {!bySuperAgent && (
          <Link
            href={`/runs/${message.run_id}`}
            aria-label={`Run of this ${byUser ? "input" : "answer"}`}
            className="ml-auto inline-flex items-center gap-0.5 rounded-sm text-faint hover:text-foreground"
          >
            Run
            <ArrowUpRight aria-hidden="true" className="size-3.5" />
          </Link>
        )}
      </div>
      {byUser ? <UserText text={message.text} /> : <Markdown text={message.text} />}
    </li>
  );
}

/** Several named inputs are kept as JSON; one is kept as its text. */
function UserText({ text }: { text: string }) {
  const omitted = text.length - USER_MAX_CHARACTERS;
  const input = omitted > 0 ? null : readInput(text);
  if (input) return <InputValues input={input} className="-my-1 text-sm" />;
  return (
    <>
      <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{text.slice(0, USER_MAX_CHARACTERS)}</p>
      {omitted > 0 && <p className="mt-1 text-faint text-xs">{omitted.toLocaleString("en")} more characters are not shown here.</p>}
    </>
  );
}

function readInput(text: string): JsonObject | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.keys(value).length > 0 ? value : null;
  } catch {
    return null;
  }
}
