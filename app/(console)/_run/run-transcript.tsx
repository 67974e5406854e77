"use client";

import {
  Check,
  ChevronRight,
  CircleQuestionMark,
  CircleSlash,
  Globe,
  ShieldQuestion,
  X,
} from "lucide-react";
import { memo, useEffect, useState } from "react";
import { formatDuration } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { runErrorAdvice } from "@/lib/console/run-error-advice";
import type { Block, Transcript } from "@/lib/console/transcript/transcript";
import type { FollowState } from "@/lib/console/transcript/use-run-stream";
import { Answer } from "./answer";
import { ArtifactBlock } from "./artifact-block";
import { MessageBox, useSendMessage } from "./message-box";
import { Sources } from "./sources";

const DECIDED = {
  approve: { label: "Approved", tone: "success" },
  reject: { label: "Rejected", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
} as const;

/** A call that waits for a person, and afterwards what the person said. */
function ApprovalBlock({ block }: { block: BlockOf<"approval"> }) {
  const resolve = useConsoleMutation(
    (decision: "approve" | "reject") =>
      consoleApi.post("/v1/approvals/{approval_id}/resolve", {
        params: { path: { approval_id: block.id } },
        body: { decision },
      }),
    { stale: ["/v1/runs", "/v1/approvals"] },
  );
  // The decision comes back as an event; until then the buttons rest.
  const waiting = resolve.isPending || resolve.isSuccess;
  const decided = block.decision ? DECIDED[block.decision] : null;
  return (
    <fieldset
      aria-label={`Approval of ${block.toolName}`}
      className={
        decided
          ? "min-w-0 rounded-lg border border-line bg-surface p-3.5"
          : "min-w-0 rounded-lg border border-warning-line bg-warning-soft p-3.5"
      }
    >
      <div className="flex items-start gap-3">
        <ShieldQuestion
          aria-hidden="true"
          className={decided ? "mt-0.5 size-4 text-faint" : "mt-0.5 size-4 text-warning"}
        />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-sm">
            {decided ? "Asked to use " : "May the agent use "}
            <code className="font-mono text-xs">{block.toolName}</code>
            {decided ? "" : "?"}
          </p>
          <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">{block.summary}</p>
          {block.reason && <p className="mt-1 text-sm [overflow-wrap:anywhere]">{block.reason}</p>}
          <Link
            href={`/approvals/${block.id}`}
            className="mt-1 inline-block text-accent text-sm underline underline-offset-4"
          >
            See what it {decided ? "was about to send" : "is about to send"}
          </Link>
          {!decided && (
            <div className="mt-3 flex gap-2">
              <Button
                variant="primary"
                size="small"
                disabled={waiting}
                loading={waiting && resolve.variables === "approve"}
                onClick={() => resolve.mutate("approve")}
              >
                Approve
              </Button>
              <Button
                size="small"
                disabled={waiting}
                loading={waiting && resolve.variables === "reject"}
                onClick={() => resolve.mutate("reject")}
              >
                Reject
              </Button>
            </div>
          )}
        </div>
        {decided && <Badge tone={decided.tone}>{decided.label}</Badge>}
      </div>
    </fieldset>
  );
}

const MESSAGES = "/v1/runs/{run_id}/messages";

/** What the run asks a person, with its proposals and room for another answer. */
function QuestionBlock({ block }: { block: BlockOf<"question"> }) {
  const waits = block.answer === null && !block.over;
  const send = useSendMessage(block.runId, MESSAGES);
  // The answer comes back as an event; until then the buttons rest.
  const resting = send.isPending || send.isSuccess;
  return (
    <fieldset
      aria-label="Question"
      className={
        waits
          ? "grid min-w-0 gap-3 rounded-lg border border-warning-line bg-warning-soft p-3.5"
          : "grid min-w-0 gap-3 rounded-lg border border-line bg-surface p-3.5"
      }
    >
      <p className="flex items-start gap-3 text-sm">
        <CircleQuestionMark
          aria-hidden="true"
          className={mergeClasses("mt-0.5 size-4 shrink-0", waits ? "text-warning" : "text-faint")}
        />
        <span className="min-w-0 whitespace-pre-wrap font-medium [overflow-wrap:anywhere]">
          {block.question}
        </span>
      </p>
      {waits && block.options.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {block.options.map((option) => (
            <Button
              key={option}
              size="small"
              disabled={resting}
              loading={resting && send.variables?.input === option}
              onClick={() => send.mutate({ input: option, when: "next_step" })}
              className="h-auto min-h-7 max-w-full whitespace-normal py-1 text-left max-sm:min-h-10"
            >
              {option}
            </Button>
          ))}
        </div>
      )}
      {waits && <MessageBox runId={block.runId} path={MESSAGES} asks />}
      {block.answer !== null && (
        <p className="whitespace-pre-wrap pl-7 text-muted text-sm [overflow-wrap:anywhere]">
          {block.answer}
        </p>
      )}
      {block.answer === null && block.over && (
        <p className="pl-7 text-faint text-sm">Nobody answered.</p>
      )}
    </fieldset>
  );
}

/** What a person said to the run meanwhile. */
function SaidBlock({ block }: { block: BlockOf<"said"> }) {
  return (
    <div className="rounded-lg bg-sunken px-3.5 py-2.5">
      <p className="mb-0.5 font-medium text-xs">Said meanwhile</p>
      <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{block.text}</p>
    </div>
  );
}

function SearchBlock({ block }: { block: BlockOf<"search"> }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <p className="flex items-center gap-2 px-3.5 py-2 font-medium text-sm">
        {block.done ? (
          <Globe aria-hidden="true" className="size-4 text-faint" />
        ) : (
          <Spinner className="text-accent" />
        )}
        {block.title || "Search"}
      </p>
      {block.items.length > 0 && (
        <ul className="grid gap-1 border-line border-t px-3.5 py-2.5">
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: without ids, and addresses repeat
            <li key={index} className="flex min-w-0 items-baseline gap-2 text-sm">
              <SourceLink title={item.title} url={item.url} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Only web addresses become links: the list comes from a model. */
function SourceLink({ title, url }: { title: string; url: string }) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !["http:", "https:"].includes(parsed.protocol))
    return <span className="truncate">{title || url}</span>;
  return (
    <>
      <a
        href={parsed.href}
        target="_blank"
        rel="noreferrer noopener nofollow"
        className="truncate text-accent underline-offset-4 hover:underline"
      >
        {title || parsed.hostname}
      </a>
      <span className="shrink-0 text-faint text-xs">{parsed.hostname}</span>
    </>
  );
}

function TodoBlock({ block }: { block: BlockOf<"todo"> }) {
  const done = block.items.filter((item) => item.done).length;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-center justify-between gap-3 border-line border-b px-3.5 py-2">
        <span className="font-medium text-sm">{block.title || "Plan"}</span>
        <span className="caption">
          {done}/{block.items.length}
        </span>
      </div>
      <ul className="grid gap-1.5 px-3.5 py-2.5">
        {block.items.map((item) => (
          <li key={item.id} className="flex items-start gap-2.5 text-sm">
            <span
              aria-hidden="true"
              className={mergeClasses(
                "mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border",
                todoMark(item),
              )}
            >
              {item.done && <Check className="size-3" strokeWidth={3} />}
            </span>
            <span className={item.done ? "text-muted" : undefined}>
              {item.text}
              <span className="sr-only">{` (${todoWord(item)})`}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type TodoItem = BlockOf<"todo">["items"][number];

function todoMark({ done, status }: TodoItem): string {
  if (done) return "border-success bg-success text-surface";
  return status === "in_progress" ? "border-2 border-accent" : "border-line-strong";
}

function todoWord({ done, status }: TodoItem): string {
  if (done) return "done";
  return status === "in_progress" ? "in progress" : "open";
}

const WORDS = { running: "running", succeeded: "succeeded", failed: "failed", stopped: "stopped" };

/** A tool's start and end. What went in and out stays on the server. */
function ToolBlock({ block }: { block: BlockOf<"tool"> }) {
  return (
    <div className="tool flex min-h-6 items-center gap-2.5 text-sm">
      <ToolSign status={block.status} />
      <code
        className={mergeClasses(
          "truncate font-mono text-xs",
          block.status === "failed" ? "text-danger" : "text-muted",
        )}
      >
        {block.name}
      </code>
      <span className="sr-only">{WORDS[block.status]}</span>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <span className="shrink-0 font-mono text-2xs text-faint tabular">
        {block.endedAt ? (
          formatDuration(Date.parse(block.endedAt) - Date.parse(block.startedAt))
        ) : (
          <Elapsed since={block.startedAt} />
        )}
      </span>
    </div>
  );
}

function ToolSign({ status }: { status: BlockOf<"tool">["status"] }) {
  if (status === "running") return <Spinner className="size-4 shrink-0 text-accent" />;
  if (status === "succeeded")
    return <Check aria-hidden="true" className="size-4 shrink-0 text-success" />;
  if (status === "failed") return <X aria-hidden="true" className="size-4 shrink-0 text-danger" />;
  return <CircleSlash aria-hidden="true" className="size-4 shrink-0 text-faint" />;
}

/** What the model thought, folded away; a line long while it thinks. */
function ThinkingBlock({ block }: { block: BlockOf<"thinking"> }) {
  return (
    <details className="group/thinking text-sm">
      <summary className="flex w-fit max-w-full list-none items-center gap-2 rounded-md text-muted hover:text-foreground [&::-webkit-details-marker]:hidden">
        {block.done ? (
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open/thinking:rotate-90"
          />
        ) : (
          <Spinner className="shrink-0 text-accent" />
        )}
        <span className="truncate">{block.title}</span>
        {!block.done && block.text && (
          <span className="truncate text-faint">{lastWords(block.text)}</span>
        )}
      </summary>
      <p className="mt-2 ml-2 max-h-72 overflow-y-auto whitespace-pre-wrap border-line border-l-2 pl-4 text-muted text-sm [overflow-wrap:anywhere]">
        {block.text || "The model kept its thoughts to itself."}
      </p>
    </details>
  );
}

function lastWords(text: string): string {
  return text.slice(-90).replace(/\s+/g, " ").trimStart();
}

/** The timeline of a run, as far as it has come. */
export function RunTranscript({
  transcript,
  state,
}: {
  transcript: Transcript;
  state: FollowState | null;
}) {
  const { blocks, error, result } = transcript;
  const waits = blocks.length === 0 && state !== "ended" && !error;
  return (
    <div
      className="grid grid-cols-[minmax(0,1fr)] gap-4 [&>.tool+.tool]:-mt-2.5"
      aria-busy={state !== "ended"}
    >
      {waits && <TranscriptSkeleton />}
      {blocks.map((block) => (
        <BlockView key={`${block.kind}-${block.id}`} block={block} />
      ))}
      {state === "reconnecting" && (
        <p className="text-warning text-xs">
          The connection broke off. The run goes on; reconnecting…
        </p>
      )}
      {result?.citations && <Sources citations={result.citations} />}
      {error && <RunErrorNotice code={error.code} message={error.message} />}
    </div>
  );
}

function TranscriptSkeleton() {
  return (
    <div role="status" aria-label="Waiting for the first event" className="grid gap-2.5">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-4 w-full max-w-lg" />
      <Skeleton className="h-4 w-full max-w-md" />
    </div>
  );
}

/** One piece of the timeline. Drawn again only when its block is another object. */
const BlockView = memo(function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "message":
      return block.text.trim() === "" ? null : <Answer text={block.text} live={!block.done} />;
    case "thinking":
      return <ThinkingBlock block={block} />;
    case "todo":
      return <TodoBlock block={block} />;
    case "search":
      return <SearchBlock block={block} />;
    case "tool":
      return <ToolBlock block={block} />;
    case "notice":
      return (
        <p className="rounded-lg border border-line bg-surface px-3.5 py-2 text-muted text-sm">
          {block.text}
        </p>
      );
    case "said":
      return <SaidBlock block={block} />;
    case "question":
      return <QuestionBlock block={block} />;
    case "artifact":
      return <ArtifactBlock artifact={block.artifact} />;
    case "approval":
      return <ApprovalBlock block={block} />;
  }
});

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** The time since `since`, counting on. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  // The browser's clock may run behind the server's.
  return <>{now === null ? "" : formatDuration(Math.max(0, now - Date.parse(since)))}</>;
}

/** Why a run failed, and what to do about it. */
export function RunErrorNotice({ code, message }: { code: string; message: string }) {
  const stopped = code === "RUN_CANCELLED";
  return (
    <Alert
      tone={stopped ? "warning" : "danger"}
      title={stopped ? "This run was cancelled" : message || "The run failed"}
    >
      {runErrorAdvice(code)} <code className="whitespace-nowrap font-mono text-xs">{code}</code>
    </Alert>
  );
}
