"use client";
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { Agent, AgentCase, NewAgentCase } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { checkInWords } from "@/lib/console/check-in-words";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";

const CASES = "/v1/agents/{agent_id}/cases";

/** The cases by which each change of the agent is measured. */
export function CasesTab({ agent }: { agent: Agent }) {
  const { data, error, refetch } = useConsolePages(reads.agentCases(agent.agent_id));
  const [adding, setAdding] = useState(false);
  const cases = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Cases" aria-busy={!cases}>
      <CardHeader title="Cases" note="run before and after each edit">
        <Button size="small" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" />
          Add a case
        </Button>
      </CardHeader>
      {error && !cases && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !cases && <Skeleton className="m-4 h-12" />}
      {cases?.length === 0 && (
        <EmptyState title="No cases yet" seed="cases">
          A case is an input with checks of the answer. The builder writes two or three; each later
          edit says how they came out before and after it.
        </EmptyState>
      )}
      {cases && cases.length > 0 && (
        <ul className="divide-y divide-line">
          {cases.map((one) => (
            <CaseRow key={one.case_id} one={one} />
          ))}
        </ul>
      )}
      {adding && <AddDialog agentId={agent.agent_id} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function CaseRow({ one }: { one: AgentCase }) {
  const [deleting, setDeleting] = useState(false);
  const { agent_id, case_id, name, input, answers, checks } = one;
  const remove = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/agents/{agent_id}/cases/{case_id}", {
        params: { path: { agent_id, case_id } },
      }),
    {
      stale: [`/v1/agents/${agent_id}/cases`],
      done: "The case was deleted.",
      onSuccess: () => setDeleting(false),
    },
  );
  return (
    <li className="relative px-4 py-3 text-sm">
      <details>
        <summary className="cursor-pointer pr-12 [overflow-wrap:anywhere]">
          <span className="font-medium">{name}</span>{" "}
          <span className="text-faint text-xs">
            by {one.source === "builder" ? "the builder" : "a person"},{" "}
            <RelativeTime time={one.created_at} />
          </span>
          <span className="mt-0.5 block pl-4 text-muted text-xs">
            The answer {checks.map(checkInWords).join(", and ")}.
          </span>
        </summary>
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-2">
          <CaseContent title="Given" value={input} />
          <CaseContent title="What its tools give" value={answers} />
          <CaseContent title="Its files" value={one.files} />
        </div>
      </details>
      <Button
        variant="ghost"
        size="icon"
        className="absolute top-2 right-3"
        aria-label={`Delete case ${name}`}
        onClick={() => setDeleting(true)}
      >
        <Trash2 aria-hidden="true" />
      </Button>
      <ConfirmDialog
        open={deleting}
        onOpenChange={(next) => !next && setDeleting(false)}
        title="Delete this case?"
        action="Delete case"
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Later edits of the agent do not run it any more.
      </ConfirmDialog>
    </li>
  );
}

/** A part of a case as JSON; nothing where it holds nothing. */
function CaseContent({ title, value }: { title: string; value: Record<string, unknown> }) {
  if (Object.keys(value).length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h3 className="text-faint text-xs">{title}</h3>
      <CodeBlock code={JSON.stringify(value, null, 2)} label={title.toLowerCase()} />
    </div>
  );
}

const EXAMPLE = `{
 "name": "An order that was sent",
 "input": { "request": "Where is order 4711?" },
 "answers": { "get_order": { "id": 4711, "state": "sent" } },
 "checks": [{ "type": "contains", "value": "sent" }]
}`;

function AddDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const [text, setText] = useState(EXAMPLE);
  const [unread, setUnread] = useState(false);
  const add = useConsoleMutation(
    (body: NewAgentCase) =>
      consoleApi.post(CASES, { params: { path: { agent_id: agentId } }, body }),
    {
      stale: [`/v1/agents/${agentId}/cases`],
      done: "The case was added.",
      quiet: true,
      onSuccess: onClose,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = JSON.parse(text) as NewAgentCase; // the service says what does not fit
      setUnread(false);
      add.mutate(body);
    } catch {
      setUnread(true);
    }
  };
  const problem = unread
    ? "This is not JSON: look for a comma or a bracket that is missing."
    : (messageOf(add.error) ?? "");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Add a case"
      description={
        "A name, an input, what tools that act outside give, and checks of the answer. One of " +
        "the same name is replaced."
      }
    >
      <form onSubmit={submit} className="grid gap-4">
        {problem !== "" && <Alert tone="danger" title={problem} alert />}
        <Field label="Case as JSON">
          {(control) => (
            <Textarea
              {...control}
              rows={10}
              required
              spellCheck={false}
              className="font-mono text-xs"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            loading={add.isPending}
            disabled={text.trim() === ""}
          >
            Add case
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
