"use client";

import { MessageSquare } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { MessagePath } from "@/lib/console/transcript/use-run-stream";
import type { MessageTime } from "@/lib/model/run/run-message";

const TIMES = [
  { value: "next_step", label: "Next step" },
  { value: "after", label: "Next run" },
] as const;

const HINTS: Record<MessageTime, string> = {
  next_step: "The agent reads it with its next step, and goes on with it. Enter sends.",
  after: "It becomes the next run of the conversation, once this one has ended. Enter sends.",
};

interface MessageBoxProps {
  runId: string;
  path: MessagePath;
  /** Whether it may become the next run of the conversation, too. */
  mayFollow?: boolean;
  /** The run waits for an answer, which is what is said next. */
  asks?: boolean;
}

/** Says something to a run at work, and shows what waits to be read by it. */
export function MessageBox({ runId, path, mayFollow = false, asks = false }: MessageBoxProps) {
  const [text, setText] = useState("");
  const [chosen, setWhen] = useState<MessageTime>("next_step");
  const when = mayFollow && !asks ? chosen : "next_step";
  const send = useSendMessage(runId, path, () => setText(""));
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== "" && !send.isPending) send.mutate({ input: text, when });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      onSubmit={submit}
      aria-label="Say something to this run"
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <WaitingMessages runId={runId} path={path} />
      <Field
        label={asks ? "Your answer" : "Say to this run"}
        hint={asks ? "The run goes on with it. Enter sends." : HINTS[when]}
        aside={
          mayFollow && !asks ? (
            <ToggleGroup label="When it counts" value={when} options={TIMES} onChange={setWhen} />
          ) : undefined
        }
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          size="small"
          loading={send.isPending}
          disabled={text.trim() === ""}
          className="max-sm:h-10 max-sm:w-full"
        >
          <MessageSquare aria-hidden="true" />
          {asks ? "Answer" : "Say it"}
        </Button>
      </div>
    </form>
  );
}

/** Sends a message to a run; the answer to its question is one, too. */
export function useSendMessage(runId: string, path: MessagePath, onSuccess?: () => void) {
  return useConsoleMutation(
    (body: { input: string; when: MessageTime }) =>
      // Each path by itself: their requests have types of their own.
      path === "/v1/runs/{run_id}/messages"
        ? consoleApi.post(path, { params: { path: { run_id: runId } }, body })
        : consoleApi.post(path, { params: { path: { run_id: runId } }, body }),
    { stale: [reads.run(runId), readOf(runId, path), "/v1/runs", "/v1/conversations"], onSuccess },
  );
}

function readOf(runId: string, path: MessagePath) {
  return path === "/v1/runs/{run_id}/messages"
    ? reads.runMessages(runId)
    : reads.superAgentRunMessages(runId);
}

const REFRESH_MILLISECONDS = 3_000;

/** What was said and not yet read, oldest first. */
function WaitingMessages({ runId, path }: { runId: string; path: MessagePath }) {
  const { data } = useConsoleQuery(readOf(runId, path), {
    refreshEvery: (page) =>
      page?.data.some(({ status }) => status === "waiting") ? REFRESH_MILLISECONDS : false,
  });
  const open = (data?.data ?? []).filter(
    ({ status }) => status === "waiting" || status === "queued",
  );
  if (open.length === 0) return null;
  return (
    <ul aria-label="Messages that wait" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {open.toReversed().map(({ message_id, text, status }) => (
        <li key={message_id} className="flex items-start gap-2 text-sm">
          <Badge tone="neutral">{status === "queued" ? "Next run" : "Waits"}</Badge>
          <span className="min-w-0 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
