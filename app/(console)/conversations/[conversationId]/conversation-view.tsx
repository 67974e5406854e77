"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useMemo, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { ModelId, Run } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { ConversationFamily } from "@/lib/model/run/run-kind";
import { isTerminal } from "@/lib/model/run/run-status";
import { useAgentNames } from "../../../../lib/console/queries";
import { Messages } from "../../_conversation/messages";
import { useConversation, useConversationRun } from "../../_conversation/use-conversation";
import { LiveRun } from "../../_run/live-run";
import { RunForm } from "../../_run/run-form";
import { RunRowsSkeleton } from "../../_run/run-list";
import { runTitle } from "../../_run/run-title";
import { DeleteButton } from "../../_shared/delete-button";
import { QueryProblem } from "../../_shared/query-problem";

const ACTIVE_MILLISECONDS = 3_000;

interface ConversationViewProps {
  conversationId: string;
  family: ConversationFamily;
}

/** What was said, the runs that said it, and a way to go on. */
export function ConversationView({ conversationId, family }: ConversationViewProps) {
  const conversation = useConversation(conversationId);
  const list = useConsolePages(reads.runs({ conversation_id: conversationId }), {
    refreshEvery: (rows) =>
      rows.some((run) => !isTerminal(run.status)) ? ACTIVE_MILLISECONDS : false,
  });
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  const byId = useMemo(() => new Map(runs?.map((run) => [run.run_id, run])), [runs]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Messages conversation={conversation} family={family} runs={byId} />
        {family === "super_agent" ? (
          <div>
            <Button asChild variant="primary">
              <Link href={`/super-agent?conversation=${conversationId}`}>
                Go on with the super-agent
              </Link>
            </Button>
          </div>
        ) : (
          <ContinueConversation
            conversationId={conversationId}
            family={family}
            activeRunId={conversation.activeRunId}
            lastAgentId={runs?.find((run) => run.agent_id !== null)?.agent_id ?? null}
            answered={
              conversation.messages?.findLast((message) => message.role === "assistant")?.run_id ??
              null
            }
          />
        )}
      </div>
      <Card aria-label="Runs of the conversation">
        <CardHeader title="Runs" />
        {list.error && !runs && (
          <QueryProblem error={list.error} retry={() => void list.refetch()} />
        )}
        {!list.error && !runs && <RunRowsSkeleton rows={3} />}
        {runs && (
          <ConversationRuns
            runs={runs}
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        )}
      </Card>
    </div>
  );
}

interface ConversationRunsProps {
  runs: Run[];
  hasMore: boolean;
  loading: boolean;
  onMore: () => void;
}

/** The runs that made the conversation, newest first. */
function ConversationRuns({ runs, hasMore, loading, onMore }: ConversationRunsProps) {
  const names = useAgentNames();
  if (runs.length === 0)
    return (
      <p className="px-4 py-5 text-faint text-sm">No run of this conversation can be read here.</p>
    );
  return (
    <>
      <ul className="divide-y divide-line">
        {runs.map((run) => (
          <li key={run.run_id}>
            <Link
              href={`/runs/${run.run_id}`}
              className="flex min-h-12 items-center gap-3 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{runTitle(run, names)}</span>
                <span className="block truncate text-faint text-xs">
                  <RelativeTime time={run.created_at} />
                </span>
              </span>
              <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && <LoadMore loading={loading} onClick={onMore} />}
    </>
  );
}

interface ContinueConversationProps {
  conversationId: string;
  family: Exclude<ConversationFamily, "super_agent">;
  /** While it has not ended no other run is accepted. */
  activeRunId: string | null;
  lastAgentId: string | null;
  /** The run whose answer stands last among the messages. */
  answered: string | null;
}

/**
 * Goes on with a conversation; the run is shown live until its answer stands among the messages.
 */
function ContinueConversation({
  conversationId,
  family,
  activeRunId,
  lastAgentId,
  answered,
}: ContinueConversationProps) {
  const stream = useRunStream();
  useConversationRun(stream, { conversationId, activeRunId, answered });
  const loading = stream.state !== null && stream.state !== "ended";
  return (
    <>
      <LiveRun stream={stream} label="Run" />
      <Card aria-label="Continue" className="overflow-visible">
        <CardHeader
          title="Continue this conversation"
          note={loading ? "once this run has ended" : undefined}
        />
        <div className="p-4">
          {family === "agent" ? (
            <ContinueRunning
              // An answer empties the form.
              key={answered}
              lastAgentId={lastAgentId}
              loading={loading}
              onRun={(body) => stream.start({ ...body, conversation_id: conversationId })}
            />
          ) : (
            <ContinueBuilding
              conversationId={conversationId}
              lastAgentId={lastAgentId}
              loading={loading}
              onStarted={stream.follow}
            />
          )}
        </div>
      </Card>
    </>
  );
}

interface ContinueRunningProps {
  lastAgentId: string | null;
  loading: boolean;
  onRun: (body: {
    input: JsonObject;
    agent_id?: string;
    workspace_id?: string;
    model?: ModelId;
  }) => void;
}

/** The next run of a conversation: by the agent of the last one, or by another. */
function ContinueRunning({ lastAgentId, loading, onRun }: ContinueRunningProps) {
  const names = useAgentNames();
  const [picked, setPicked] = useState<string | null>(null);
  // An agent that was archived since is not among the names, and cannot run.
  const agentId = picked ?? (lastAgentId !== null && names.has(lastAgentId) ? lastAgentId : "");
  const { data: agent } = useConsoleQuery(reads.agent(agentId), { enabled: agentId !== "" });
  return (
    <div className="grid gap-4">
      <Field label="Agent">
        {(control) => (
          <Select {...control} value={agentId} onChange={(event) => setPicked(event.target.value)}>
            <option value="">None, a general run</option>
            {[...names].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {agentId !== "" && agent?.agent_id !== agentId ? (
        <Skeleton className="h-48" />
      ) : (
        <RunForm
          key={agentId}
          {...(agentId !== "" && { agentId })}
          schema={agentId === "" ? null : (agent?.inputs_schema ?? null)}
          loading={loading}
          onRun={(body) => onRun({ ...body, ...(agentId === "" ? {} : { agent_id: agentId }) })}
        />
      )}
    </div>
  );
}

interface ContinueBuildingProps {
  conversationId: string;
  /** The agent that the conversation made or changed last; null when there is none yet. */
  lastAgentId: string | null;
  loading: boolean;
  onStarted: (runId: string) => void;
}

/**
 * The next sentence of a conversation that builds an agent: an edit of it, or another try where
 * there is none yet.
 */
function ContinueBuilding({
  conversationId,
  lastAgentId,
  loading,
  onStarted,
}: ContinueBuildingProps) {
  const [input, setInput] = useState("");
  const body = { input, conversation_id: conversationId };
  const send = useConsoleMutation<{ run_id: string }>(
    () =>
      lastAgentId
        ? consoleApi.post("/v1/agents/{agent_id}/edits", {
            params: { path: { agent_id: lastAgentId } },
            body,
          })
        : consoleApi.post("/v1/agents", { body }),
    {
      stale: ["/v1/runs"],
      quiet: true,
      onSuccess: (run) => {
        setInput("");
        onStarted(run.run_id);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) send.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {send.error && (
        <Alert tone="danger" title="This was not accepted" alert>
          {messageOf(send.error)}
        </Alert>
      )}
      <Field label={lastAgentId ? "What should change?" : "What should the agent do?"}>
        {(control) => (
          <Textarea {...control} value={input} onChange={(event) => setInput(event.target.value)} />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          variant="primary"
          loading={loading || send.isPending}
          disabled={!input.trim()}
        >
          {lastAgentId ? "Start edit" : "Create agent"}
        </Button>
      </div>
    </form>
  );
}

export function ConversationActions({ conversationId }: { conversationId: string }) {
  const router = useRouter();
  const remove = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/conversations/{conversation_id}", {
        params: { path: { conversation_id: conversationId } },
      }),
    {
      done: "The conversation was deleted.",
      onSuccess: () => router.push("/conversations"),
    },
  );
  return (
    <DeleteButton noun="conversation" remove={remove}>
      Its messages are forgotten, and no run can go on from it. Its runs stay readable, each on its
      own page. This cannot be undone.
    </DeleteButton>
  );
}
