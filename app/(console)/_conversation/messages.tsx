"use client";
import { ArrowUpRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Skeleton } from "@/components/ui/skeleton";
import type { Message, Run } from "@/lib/client/schemas";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import type { ConversationFamily } from "@/lib/model/run/run-kind";
import { Answer } from "../_run/answer";
import { InputValues } from "../_run/input-values";
import { QueryProblem } from "../_shared/query-problem";
import type { ConversationReading } from "./use-conversation";

interface MessagesProps {
  conversation: ConversationReading;
  family: ConversationFamily;
  runs: ReadonlyMap<string, Run>;
}

/** What was said in a conversation, oldest first, as far back as was read. */
export function Messages({
  conversation: { messages, error, refetch, ...earlier },
  family,
  runs,
}: MessagesProps) {
  return (
    <Card aria-label="Messages" aria-busy={!messages}>
      {earlier.hasEarlier && (
        <div className="flex justify-center border-line border-b p-2.5">
          <Button
            variant="ghost"
            size="small"
            loading={earlier.isReadingEarlier}
            onClick={earlier.readEarlier}
          >
            Earlier messages
          </Button>
        </div>
      )}
      {error && !messages && <QueryProblem error={error} retry={refetch} />}
      {!error && !messages && <Skeleton className="h-64 rounded-none" />}
      {messages?.length === 0 && (
        <p className="px-5 py-6 text-faint text-sm">Nothing has been said yet.</p>
      )}
      {messages && messages.length > 0 && (
        <ol className="divide-y divide-line">
          {messages.map((message) => (
            <MessageView
              key={message.message_id}
              message={message}
              family={family}
              run={runs.get(message.run_id)}
            />
          ))}
        </ol>
      )}
    </Card>
  );
}

const USER_MAX_CHARACTERS = 20_000;

interface MessageViewProps {
  message: Message;
  run: Run | undefined;
  family: ConversationFamily;
}

/** Something that was said, by whom, and in which run. */
function MessageView({ message, run, family }: MessageViewProps) {
  const bySuperAgent = family === "super_agent";
  const byUser = message.role === "user";
  // An answer speaks for itself; without one the reader wants to know why.
  const unanswered = byUser && run !== undefined && run.status !== "completed";
  return (
    <li className={byUser ? "bg-sunken px-5 py-4" : "px-5 py-4"}>
      <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <span className="font-medium">
          {byUser ? (bySuperAgent ? "You" : "Input") : bySuperAgent ? "Super-agent" : "Agent"}
        </span>
        <span className="text-faint">
          <RelativeTime time={message.created_at} />
        </span>
        {unanswered && <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />}
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
      {byUser ? <UserText text={message.text} /> : <Answer text={message.text} />}
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
      <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
        {text.slice(0, USER_MAX_CHARACTERS)}
      </p>
      {omitted > 0 && (
        <p className="mt-1 text-faint text-xs">
          {omitted.toLocaleString("en")} more characters are not shown here.
        </p>
      )}
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
