"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { Coins, Download, Eraser } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { addressOf, CONSOLE_ADDRESS, reads } from "@/lib/console/reads";

type Asked = "limit" | "erase" | null;

/** What can be done about a person. */
export function EndUserActions({ name }: { name: string }) {
  const { data: person } = useConsoleQuery(reads.endUser(name));
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const toExport = addressOf("/v1/end-users/{end_user}/export", { path: { end_user: name } });
  const isErasing = person?.status === "erasing";
  return (
    <>
      <Button asChild>
        <a href={CONSOLE_ADDRESS + toExport} download="end-user.ndjson">
          <Download aria-hidden="true" />
          Export
        </a>
      </Button>
      <Button onClick={() => setAsked("limit")} disabled={!person || isErasing}>
        <Coins aria-hidden="true" />
        Limit
      </Button>
      <Button variant="danger" onClick={() => setAsked("erase")} disabled={!person || isErasing}>
        <Eraser aria-hidden="true" />
        Erase
      </Button>
      <Dialog
        open={asked === "limit"}
        onOpenChange={(next) => !next && close()}
        title="Limit a day"
        description={
          "What all of this person’s runs together may cost from 00:00 to 24:00 UTC. A start " +
          "that does not fit is refused, and a run at work ends before the call that would pass it."
        }
      >
        <LimitForm name={name} limit={person?.max_credits_per_day ?? null} onDone={close} />
      </Dialog>
      <Dialog
        open={asked === "erase"}
        onOpenChange={(next) => !next && close()}
        title="Erase this end user?"
        description={
          "Their runs with all that these left, conversations, notes, schedules, secrets and " +
          "connections go for good, and what the audit log and webhooks say of them. Runs at " +
          "work are cancelled. What they cost stays in the books, without their name. Nothing " +
          "brings it back."
        }
      >
        <EraseForm name={name} onDone={close} />
      </Dialog>
    </>
  );
}

const limitSchema = z.object({
  credits: z
    .string()
    .trim()
    .refine((text) => text === "" || Number(text) >= 0, "Enter a number of credits, or nothing."),
});

function LimitForm({
  name,
  limit,
  onDone,
}: {
  name: string;
  limit: number | null;
  onDone: () => void;
}) {
  const form = useForm({
    resolver: zodResolver(limitSchema),
    defaultValues: { credits: limit === null ? "" : String(limit) },
  });
  const save = useConsoleMutation(
    ({ credits }: { credits: string }) =>
      consoleApi.put("/v1/end-users/{end_user}/limits", {
        params: { path: { end_user: name } },
        body: { max_credits_per_day: credits === "" ? null : Number(credits) },
      }),
    { stale: ["/v1/end-users"], done: "The limit was set.", quiet: true, onSuccess: onDone },
  );
  return (
    <form method="post" onSubmit={form.handleSubmit((values) => save.mutate(values))} noValidate>
      <Field
        label="Credits a day"
        hint="Nothing: only the account’s wallet limits them."
        error={form.formState.errors.credits?.message ?? messageOf(save.error)}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("credits")}
            inputMode="decimal"
            autoComplete="off"
            autoFocus
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" loading={save.isPending}>
          Set limit
        </Button>
      </DialogActions>
    </form>
  );
}

function EraseForm({ name, onDone }: { name: string; onDone: () => void }) {
  const schema = z.object({
    typed: z.string().refine((text) => text === name, "This is not their name."),
  });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { typed: "" } });
  const erase = useConsoleMutation(
    () => consoleApi.delete("/v1/end-users/{end_user}", { params: { path: { end_user: name } } }),
    { stale: ["/v1/end-users"], quiet: true, onSuccess: onDone },
  );
  return (
    <form method="post" onSubmit={form.handleSubmit(() => erase.mutate())} noValidate>
      <Field
        label="Their name"
        hint={`Type ${name}.`}
        error={form.formState.errors.typed?.message ?? messageOf(erase.error)}
      >
        {(control) => (
          <Input {...control} {...form.register("typed")} autoComplete="off" autoFocus />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>Keep them</Button>
        <Button type="submit" variant="danger" loading={erase.isPending}>
          Erase for good
        </Button>
      </DialogActions>
    </form>
  );
}
