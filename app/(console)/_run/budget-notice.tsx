"use client";

import { type FormEvent, useState } from "react";
import { formatCredits } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { LatheApiError } from "@/lib/client/errors";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { type BudgetAction, budgetActionOf, suggestedLimit } from "@/lib/model/run/on-budget";
import { isOfSuperAgent } from "@/lib/model/run/run-status";
import { useCancelRun } from "./live-run";

type Waiting = Pick<Run, "run_id" | "kind" | "requires_action">;

/** What a run says that waits for credits: how much more it needs, and the two ways on. */
export function BudgetNotice({ run }: { run: Waiting }) {
  const action = budgetActionOf(run.requires_action);
  if (!action) return null;
  if (action.type === "credits")
    return (
      <Alert tone="warning" title="This run waits for credits" action={<CancelButton run={run} />}>
        Its next step needs {formatCredits(roundedUp(action.required))} credits, and the account has
        fewer. It goes on by itself once they are there; until then it holds none.
      </Alert>
    );
  return (
    <Alert
      tone="warning"
      title="This run has reached its budget"
      action={<RaiseForm key={action.required} run={run} action={action} />}
    >
      {formatCredits(action.spent)} of {formatCredits(action.max_credits ?? 0)} credits are spent,
      and the next step needs a limit of {formatCredits(roundedUp(action.required))} at least.
      Raised, it goes on where it left off.
      {action.run_id && !isOfSuperAgent(run.kind) && (
        <> The limit is that of the run that leads this one, and holds for all below it.</>
      )}
    </Alert>
  );
}

/** As it is shown, in hundredths: what is shown must be enough. */
function roundedUp(credits: number): number {
  return Math.ceil(Number((credits * 100).toFixed(4))) / 100;
}

function CancelButton({ run }: { run: Waiting }) {
  const leads = isOfSuperAgent(run.kind);
  const cancel = useCancelRun(leads ? consoleApi.superAgentRuns : consoleApi.runs);
  return (
    <Button loading={cancel.isPending} onClick={() => cancel.mutate(run.run_id)}>
      Cancel run
    </Button>
  );
}

function RaiseForm({ run, action }: { run: Waiting; action: BudgetAction }) {
  const [text, setText] = useState(String(suggestedLimit(action)));
  const [problem, setProblem] = useState<string | null>(null);
  const raise = useConsoleMutation(
    (max_credits: number) => {
      const init = {
        params: { path: { run_id: action.run_id ?? run.run_id } },
        body: { max_credits },
      };
      const ofSuperAgent = () => consoleApi.patch("/v1/super-agent/runs/{run_id}", init);
      const ofAgent = () => consoleApi.patch("/v1/runs/{run_id}", init);
      if (isOfSuperAgent(run.kind)) return action.run_id ? ofAgent() : ofSuperAgent();
      if (!action.run_id) return ofAgent();
      // The run above may be an agent's, or a super-agent's.
      return ofAgent().catch((error: unknown) => {
        if (error instanceof LatheApiError && error.code === "RUN_NOT_FOUND") return ofSuperAgent();
        throw error;
      });
    },
    { stale: ["/v1/runs", "/v1/super-agent/runs"], done: "The limit was raised." },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credits = Number(text);
    const missing = !(credits >= action.required);
    setProblem(missing ? `It takes ${formatCredits(roundedUp(action.required))} at least.` : null);
    if (!missing) raise.mutate(credits);
  };
  return (
    <form
      aria-label="Raise the limit"
      onSubmit={submit}
      noValidate
      className="grid gap-2.5 sm:flex sm:flex-wrap sm:items-end"
    >
      <div className="sm:w-40">
        <Field label="Raise to" error={problem}>
          {(control) => (
            <Input
              {...control}
              type="number"
              inputMode="decimal"
              min={action.required}
              step="any"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button type="submit" variant="primary" loading={raise.isPending}>
        Raise and go on
      </Button>
      <CancelButton run={run} />
    </form>
  );
}
