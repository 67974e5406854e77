"use client";
import { Check, ChevronDown, ChevronRight } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { AgentGlyph } from "@/components/brand/turned-part";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { AgentMetadata } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { exampleInput } from "@/lib/console/inputs";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { overviewPaths } from "../../../lib/console/reads";
import { isStored, NewAgentCard, useStartAgentCreation } from "../_run/agent-creation";
import { LiveRun, useStreamEnd } from "../_run/live-run";
import { RunForm } from "../_run/run-form";
import { CallSamples } from "../_shared/code-samples";
import { RevealedKey, useNewKey } from "../_shared/new-key";

/** Three steps from nothing to a first result, each ticked off by what the account really has. */
export function Quickstart() {
  const { data: keys } = useConsoleQuery(reads.keys);
  const { data: agents } = useConsoleQuery(overviewPaths.agents);
  const { data: runs } = useConsoleQuery(overviewPaths.runs);
  const done = {
    key: keys?.data.some((key) => key.kind === "account" && !key.revoked_at) ?? false,
    agent: (agents?.data.length ?? 0) > 0,
    run: runs?.data.some((run) => run.kind === "agent" && run.status === "completed") ?? false,
  };
  const count = Object.values(done).filter(Boolean).length;
  const ready = keys !== undefined && agents !== undefined && runs !== undefined;
  // Whoever was done on arrival sees a line; finishing the last step here does not fold it away
  // under their hands.
  const [open, setOpen] = useState<boolean | null>(null);
  const [doneOnArrival] = useState(ready && count === 3);
  const shown = open ?? !doneOnArrival;
  const next = !done.key ? 1 : !done.agent ? 2 : 3;
  const agent = agents?.data[0] ?? null;
  return (
    <Card aria-label="Quickstart">
      <button
        type="button"
        aria-expanded={shown}
        onClick={() => setOpen(!shown)}
        className="flex w-full items-center gap-3 px-4 py-3 text-left focus-visible:-outline-offset-2"
      >
        <span className="font-medium text-sm">Quickstart</span>
        <span className="text-faint text-xs">
          {count === 3 ? "All three steps done" : `${count} of 3 steps done`}
        </span>
        <Ticks count={count} />
        <ChevronDown
          aria-hidden="true"
          className={mergeClasses(
            "ml-auto size-4 text-faint transition-transform",
            shown && "rotate-180",
          )}
        />
      </button>
      {shown && (
        <ol className="border-line border-t">
          <QuickstartStep
            number={1}
            title="Create an API key"
            done={done.key}
            initiallyOpen={next === 1}
          >
            <StepKey />
          </QuickstartStep>
          <QuickstartStep
            number={2}
            title="Create an agent from a sentence"
            done={done.agent}
            initiallyOpen={next === 2}
          >
            <StepAgent />
          </QuickstartStep>
          <QuickstartStep number={3} title="Run it" done={done.run} initiallyOpen={next === 3}>
            <StepRun agent={agent} />
          </QuickstartStep>
        </ol>
      )}
    </Card>
  );
}

function Ticks({ count }: { count: number }) {
  return (
    <span aria-hidden="true" className="flex gap-1">
      {[0, 1, 2].map((index) => (
        <span
          key={index}
          className={mergeClasses(
            "h-1 w-5 rounded-full",
            index < count ? "bg-primary" : "bg-line-strong",
          )}
        />
      ))}
    </span>
  );
}

function StepKey() {
  const { apiKey, remember } = useNewKey();
  const create = useConsoleMutation(
    () => consoleApi.post("/keys", { body: { name: "Quickstart" } }),
    {
      stale: [reads.keys],
      onSuccess: (key) => remember(key.api_key),
    },
  );
  const here = (
    <>
      <p className="text-muted text-sm">
        A key lets your backend speak for this account. Keep it on the server: never in a browser or
        an app.
      </p>
      {apiKey ? (
        <RevealedKey apiKey={apiKey} />
      ) : (
        <div>
          <Button variant="primary" loading={create.isPending} onClick={() => create.mutate()}>
            Create key
          </Button>
        </div>
      )}
    </>
  );
  return (
    <SplitView
      here={here}
      code={
        <CallSamples
          what="Read the balance"
          call={{ operationId: "getAccountUsage", method: "GET", path: "/v1/account/usage" }}
        />
      }
    />
  );
}

function StepRun({ agent }: { agent: AgentMetadata | null }) {
  if (!agent)
    return (
      <p className="text-muted text-sm">
        Create an agent first; it can be run here as soon as it stands.
      </p>
    );
  return <RunNewest key={agent.agent_id} agent={agent} />;
}

function RunNewest({ agent }: { agent: AgentMetadata }) {
  const { data: record } = useConsoleQuery(reads.agent(agent.agent_id));
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const here = (
    <>
      <p className="flex items-center gap-2.5 text-sm">
        <AgentGlyph agentId={agent.agent_id} className="size-6 rounded-sm" />
        <Link
          href={`/agents/${agent.agent_id}`}
          className="font-medium underline-offset-4 hover:underline"
        >
          {agent.name}
        </Link>
      </p>
      {record ? (
        <RunForm
          schema={record.inputs_schema}
          loading={stream.state !== null && stream.state !== "ended"}
          onRun={(body) => stream.start({ agent_id: agent.agent_id, ...body })}
        />
      ) : (
        <Skeleton className="h-52 w-full rounded-lg" />
      )}
    </>
  );
  const body = { agent_id: agent.agent_id, input: exampleInput(record?.inputs_schema ?? null) };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <SplitView
        here={here}
        code={
          <CallSamples
            what="Run the agent"
            call={{
              operationId: "createRealtimeRun",
              method: "POST",
              path: "/v1/realtime/runs",
              body,
              answer: "lines",
            }}
          />
        }
      />
      <LiveRun stream={stream} label="Run of the new agent" />
    </div>
  );
}

/** One that the built-in model sets up whole. */
const EXAMPLE_SENTENCE =
  "An agent that answers questions about the tables in its workspace with figures, and names " +
  "the file that they are from.";

function StepAgent() {
  const [input, setInput] = useState(EXAMPLE_SENTENCE);
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const create = useStartAgentCreation((run) => stream.follow(run.run_id));
  const { status, agentId, result } = stream.transcript;
  const loading = create.isPending || (stream.state !== null && stream.state !== "ended");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) create.mutate({ input, conversationId: null });
  };
  const here = (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="What should the agent do?">
        {(control) => (
          <Textarea {...control} value={input} onChange={(event) => setInput(event.target.value)} />
        )}
      </Field>
      <div>
        <Button type="submit" variant="primary" loading={loading} disabled={!input.trim()}>
          Create agent
        </Button>
      </div>
      {create.error && (
        <Alert tone="danger" title="The agent was not started" alert>
          {messageOf(create.error)}
        </Alert>
      )}
    </form>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <SplitView
        here={here}
        code={
          <CallSamples
            what="Create an agent"
            call={{
              operationId: "createAgent",
              method: "POST",
              path: "/v1/agents",
              body: { input },
            }}
          />
        }
      />
      <LiveRun stream={stream} label="Agent being built">
        {status === "completed" && agentId && isStored(result) && (
          <div className="mt-5">
            <NewAgentCard agentId={agentId} name={result?.agent_name ?? "Your agent"} />
          </div>
        )}
      </LiveRun>
    </div>
  );
}

/** The same step twice: done here and now, and as code. */
function SplitView({ here, code }: { here: ReactNode; code: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 content-start gap-4">{here}</div>
      <div className="min-w-0">{code}</div>
    </div>
  );
}

interface QuickstartStepProps {
  number: number;
  title: string;
  done: boolean;
  /** Opens by itself when it becomes the next one. */
  initiallyOpen: boolean;
  children: ReactNode;
}

function QuickstartStep({ number, title, done, initiallyOpen, children }: QuickstartStepProps) {
  const [open, setOpen] = useState(initiallyOpen);
  useEffect(() => {
    if (initiallyOpen) setOpen(true);
  }, [initiallyOpen]);
  return (
    <li className="border-line border-b last:border-0">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full items-center gap-3 px-4 py-3 text-left focus-visible:-outline-offset-2"
        >
          <span
            className={mergeClasses(
              "grid size-5.5 shrink-0 place-items-center rounded-full border font-mono text-2xs",
              done
                ? "border-primary bg-primary text-primary-foreground"
                : "border-line-strong text-muted",
            )}
          >
            {done ? <Check aria-hidden="true" className="size-3.5" strokeWidth={3} /> : number}
          </span>
          <span className={mergeClasses("font-medium text-base", done && !open && "text-muted")}>
            {title}
          </span>
          {done && <span className="sr-only">Done</span>}
          <ChevronRight
            aria-hidden="true"
            className={mergeClasses(
              "ml-auto size-4 text-faint transition-transform",
              open && "rotate-90",
            )}
          />
        </button>
      </h3>
      {/* Hidden rather than taken away: a run that goes on in it goes on being shown. */}
      <div hidden={!open} className="px-4 pb-5 sm:pl-12.5">
        {children}
      </div>
    </li>
  );
}
