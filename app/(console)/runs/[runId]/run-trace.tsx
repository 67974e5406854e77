"use client";

import {
  Bot,
  CircleDashed,
  FoldVertical,
  Hourglass,
  type LucideIcon,
  RefreshCw,
  Repeat,
  UserCheck,
  Webhook,
  Wrench,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatCredits, formatDuration } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { Run, RunPrompt, RunSpan } from "@/lib/client/schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { runErrorAdvice } from "@/lib/console/run-error-advice";
import { firstToSee, layOutTrace, type TraceRow } from "@/lib/console/trace/lay-out-trace";
import type { Transcript } from "@/lib/console/transcript/transcript";
import { isTerminal } from "@/lib/model/run/run-status";
import { QueryProblem } from "../../_shared/query-problem";

/**
 * What the event log does not tell of, as the deliveries of a webhook, is looked after now and
 * then.
 */
const ACTIVE_MS = 15_000;
/** Events come in bursts, and what they tell of is stored a moment before or after. */
const SETTLE_MS = 400;
const DRAW_MS = 250;

const KINDS: Record<RunSpan["kind"], { icon: LucideIcon; words: string }> = {
  queue: { icon: Hourglass, words: "Wait for a place" },
  turn: { icon: Repeat, words: "Turn" },
  model: { icon: Bot, words: "Model call" },
  tool: { icon: Wrench, words: "Tool call" },
  approval: { icon: UserCheck, words: "Approval" },
  compaction: { icon: FoldVertical, words: "Summary of the context" },
  webhook: { icon: Webhook, words: "Webhook" },
  retry: { icon: RefreshCw, words: "Failed attempt" },
};

const BARS: Record<RunSpan["status"], string> = {
  running: "bg-accent animate-pulse",
  succeeded: "bg-accent",
  failed: "bg-danger",
  cancelled: "bg-warning",
};

/**
 * What the run did, part by part, on one axis of time; beside it, or below it on a small screen,
 * the part that was chosen.
 */
export function RunTrace({ run, transcript }: { run: Run; transcript: Transcript }) {
  const ended = isTerminal(run.status);
  const { data, error, refetch, dataUpdatedAt } = useConsoleQuery(reads.runTrace(run.run_id), {
    refreshEvery: () => (ended ? false : ACTIVE_MS),
  });
  useReadAgain(stageOf(transcript), refetch);
  const isOpen = data?.spans.some(({ ended_at }) => ended_at === null) ?? false;
  const sinceRead = useTicks(isOpen, dataUpdatedAt);
  const [chosen, setChosen] = useState<string | null>(null);
  if (error && !data) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  if (data.spans.length === 0)
    return <p className="text-muted text-sm">Nothing of this run is kept any more.</p>;
  const { rows, durationMs } = layOutTrace(data.spans, dataUpdatedAt + sinceRead);
  const selected =
    data.spans.find(({ span_id }) => span_id === chosen) ??
    firstToSee(rows) ??
    data.spans.find(({ kind }) => kind === "model") ??
    data.spans[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-baseline justify-between gap-3 text-faint text-xs tabular">
        <span>
          {data.spans.length} {data.spans.length === 1 ? "part" : "parts"}
        </span>
        <span>{formatDuration(durationMs)} in all</span>
      </div>
      <ul
        aria-label="Parts of the run"
        className="-mx-2 max-h-[32rem] overflow-y-auto overscroll-contain"
      >
        {rows.map((row) => (
          <li key={row.span.span_id}>
            <SpanRow
              row={row}
              isChosen={row.span === selected}
              onChoose={() => setChosen(row.span.span_id)}
            />
          </li>
        ))}
      </ul>
      {selected && (
        <SpanDetails
          key={selected.span_id}
          span={selected}
          begin={data.spans[0]?.started_at ?? selected.started_at}
        />
      )}
      {data.prompts.map((prompt) => (
        <ShownPrompt key={prompt.turn} prompt={prompt} />
      ))}
    </div>
  );
}

/** What the model was shown from a turn on, folded: it is long, and mostly the same. */
function ShownPrompt({ prompt }: { prompt: RunPrompt }) {
  const since = prompt.turn === 0 ? "" : ` from turn ${prompt.turn + 1} on`;
  const names = Array.isArray(prompt.tools) ? ` and ${prompt.tools.length} tools` : "";
  return (
    <details className="min-w-0 border-line border-t pt-3 text-sm">
      <summary className="cursor-pointer text-muted">
        System prompt{names}
        {since}
      </summary>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="break-all text-faint text-xs">
          Hash <span className="font-mono">{prompt.hash}</span>
          {prompt.truncated && " (shown in part)"}
        </p>
        <CodeBlock code={toText(prompt.system)} label="system prompt" wraps />
        <CodeBlock code={toText(prompt.tools)} label="tools" />
      </div>
    </details>
  );
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2);
}

/**
 * Where a run stands, as far as its trace has other parts then: what is said and thought in between
 * makes none.
 */
function stageOf({ blocks, status, usage }: Transcript): string {
  const steps = blocks.map((block) =>
    block.kind === "tool"
      ? block.status
      : block.kind === "approval"
        ? (block.decision ?? "asked")
        : block.kind === "notice"
          ? "notice"
          : "",
  );
  return [status, usage?.credits ?? 0, ...steps.filter((step) => step !== "")].join(" ");
}

/** Reads again a moment after the run has come to another stage. */
function useReadAgain(stage: string, refetch: () => unknown): void {
  const seen = useRef(stage);
  useEffect(() => {
    if (seen.current === stage) return;
    const timer = setTimeout(() => {
      seen.current = stage;
      refetch();
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [stage, refetch]);
}

/**
 * Milliseconds since `from`, counted on while something is open, so that its bar grows without
 * asking anybody.
 */
function useTicks(isOpen: boolean, from: number): number {
  const [now, setNow] = useState(from);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), DRAW_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  return isOpen ? Math.max(0, now - from) : 0;
}

function SpanRow({
  row: { span, depth, start, end, durationMs },
  isChosen,
  onChoose,
}: {
  row: TraceRow;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const Icon = KINDS[span.kind]?.icon ?? CircleDashed;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={
        `${KINDS[span.kind]?.words ?? span.kind}: ${span.name}, ${span.status}, ` +
        `${formatDuration(durationMs)}`
      }
      onClick={onChoose}
      className={mergeClasses(
        "grid w-full grid-cols-[minmax(0,1fr)_4.5rem] items-center gap-x-3 gap-y-1 " +
          "rounded-md px-2 py-1.5 text-left text-sm transition-colors hover:bg-hover/60 " +
          "focus-visible:-outline-offset-1 sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_4.5rem]",
        isChosen && "bg-hover",
      )}
    >
      <span
        className="flex min-w-0 items-center gap-2"
        style={{ paddingLeft: `${Math.min(depth, 4) * 0.9}rem` }}
      >
        <Icon
          aria-hidden="true"
          className={mergeClasses(
            "size-3.5 shrink-0",
            span.status === "failed" ? "text-danger" : "text-faint",
          )}
        />
        <span
          className={mergeClasses(
            "truncate",
            span.kind === "model" || span.kind === "tool" ? "font-mono text-xs" : "",
          )}
        >
          {span.name}
        </span>
      </span>
      <span
        aria-hidden="true"
        className="relative h-2 rounded-full bg-sunken max-sm:order-last max-sm:col-span-2"
      >
        <span
          className={mergeClasses("absolute inset-y-0 min-w-0.5 rounded-full", BARS[span.status])}
          style={{ left: `${Math.min(start * 100, 99.5)}%`, width: `${(end - start) * 100}%` }}
        />
      </span>
      <span className="text-right text-faint text-xs tabular">{formatDuration(durationMs)}</span>
    </button>
  );
}

/**
 * One part with all that is known of it: what went wrong first, then its numbers, what went in and
 * what came out.
 */
function SpanDetails({ span, begin }: { span: RunSpan; begin: string }) {
  const facts = [
    ["Began after", formatDuration(Math.max(0, Date.parse(span.started_at) - Date.parse(begin)))],
    [
      "Took",
      span.ended_at === null
        ? "still going on"
        : formatDuration(Date.parse(span.ended_at) - Date.parse(span.started_at)),
    ],
    ...(span.credits > 0 ? [["Credits", formatCredits(span.credits)]] : []),
    ...Object.entries(span.attributes).flatMap(([name, value]) =>
      value === null || name === CHILD_RUN ? [] : [[wordsOf(name), shownValue(name, value)]],
    ),
  ];
  const child = span.attributes[CHILD_RUN];
  return (
    <section
      aria-label={`${KINDS[span.kind]?.words ?? span.kind}: ${span.name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 border-line border-t pt-4"
    >
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-sm">
        {KINDS[span.kind]?.words ?? span.kind}
        <span className="min-w-0 font-mono font-normal text-muted text-xs [overflow-wrap:anywhere]">
          {span.name}
        </span>
      </h3>
      {span.error && (
        <Alert tone="danger" title={span.error.message}>
          {runErrorAdvice(span.error.code)}{" "}
          <code className="whitespace-nowrap font-mono text-xs">{span.error.code}</code>
        </Alert>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2.5 text-sm sm:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-faint text-xs">{name}</dt>
            <dd className="tabular [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
        {typeof child === "string" && (
          <div className="min-w-0">
            <dt className="text-faint text-xs">Run that it started</dt>
            <dd>
              <Link
                href={`/runs/${child}`}
                className="text-accent underline-offset-4 hover:underline"
              >
                Open
              </Link>
            </dd>
          </div>
        )}
      </dl>
      <Content title="Went in" value={span.input} />
      <Content title="Came out" value={span.output} />
      {span.truncated && <p className="text-faint text-xs">What was longer than 64 KB is cut.</p>}
    </section>
  );
}

function Content({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h4 className="text-faint text-xs">{title}</h4>
      <CodeBlock code={toText(value)} label={title.toLowerCase()} />
    </div>
  );
}

/** What names the run that a call has started. */
const CHILD_RUN = "child_run_id";

/** `cached_input_tokens` → “Cached input tokens”; a duration without its unit. */
function wordsOf(name: string): string {
  const words = name.replace(/_ms$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shownValue(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("_ms")) return formatDuration(value);
  if (typeof value === "number") return value.toLocaleString("en");
  return typeof value === "string" ? value : JSON.stringify(value);
}
