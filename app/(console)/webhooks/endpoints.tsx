"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { Ellipsis, Plus, Radio, RefreshCw, ScrollText, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { LoadMore } from "@/components/ui/load-more";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import type { WebhookEndpoint } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import {
  ENDPOINT_FAILING_DAYS,
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  EVERY_EVENT,
} from "@/lib/model/events/event-types";
import { QueryProblem } from "../_shared/query-problem";
import { OverlapField } from "../_shell/overlap-field";

/** Where the account's events are sent. */
export function Endpoints() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.endpoints,
  );
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const endpoints = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Endpoints" aria-busy={!endpoints}>
      <CardHeader title="Endpoints" note="told of what happens in the whole account">
        <Button size="small" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" />
          Add endpoint
        </Button>
      </CardHeader>
      {error && !endpoints && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !endpoints && <Skeleton className="h-40 rounded-none" />}
      {endpoints?.length === 0 && (
        <EmptyState title="Nobody listens yet" seed="endpoints">
          An endpoint is told at once when a run waits for a person, ends or fails, and of more.
          What it is sent has ids and states, never an input or a result.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {endpoints?.map((endpoint) => (
          <EndpointRow key={endpoint.endpoint_id} endpoint={endpoint} onSecret={setSecret} />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
      <Dialog
        open={adding}
        onOpenChange={setAdding}
        holds
        title="Add endpoint"
        description="A public https address of yours. Each call is signed with a secret of its own."
      >
        <EndpointForm endpoint={null} onClose={() => setAdding(false)} onSecret={setSecret} />
      </Dialog>
      <SecretShown secret={secret} onClose={() => setSecret(null)} />
    </Card>
  );
}

type EndpointDialog = "edit" | "rotate" | "delete" | null;

function EndpointRow({
  endpoint,
  onSecret,
}: {
  endpoint: WebhookEndpoint;
  onSecret: (secret: string) => void;
}) {
  const [dialog, setDialog] = useState<EndpointDialog>(null);
  const close = () => setDialog(null);
  const params = { path: { endpoint_id: endpoint.endpoint_id } };
  const turn = useConsoleMutation(
    (enabled: boolean) =>
      consoleApi.patch("/v1/webhook-endpoints/{endpoint_id}", { params, body: { enabled } }),
    { stale: ["/v1/webhook-endpoints"] },
  );
  const sendTest = useConsoleMutation(
    () => consoleApi.post("/v1/webhook-endpoints/{endpoint_id}/test", { params }),
    { stale: ["/v1/webhook-deliveries"], done: "A test event is on its way." },
  );
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/webhook-endpoints/{endpoint_id}", { params }),
    { stale: ["/v1/webhook-endpoints"], done: "The endpoint was deleted.", onSuccess: close },
  );
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <Radio aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="break-all font-mono text-xs leading-5">{endpoint.url}</p>
        {endpoint.description && (
          <p className="text-muted [overflow-wrap:anywhere]">{endpoint.description}</p>
        )}
        <p className="mt-1.5 flex flex-wrap gap-1">
          {endpoint.events.map((type) => (
            <Badge key={type} className="font-mono">
              {type === EVERY_EVENT ? "every event" : type}
            </Badge>
          ))}
        </p>
        <EndpointState endpoint={endpoint} />
      </div>
      <Switch
        checked={endpoint.enabled}
        disabled={turn.isPending}
        aria-label={`Send events to ${endpoint.url}`}
        onCheckedChange={(enabled) => turn.mutate(enabled)}
      />
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={`Actions for ${endpoint.url}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => sendTest.mutate()}>
            <Send aria-hidden="true" />
            Send a test event
          </MenuItem>
          <MenuItem asChild>
            <a href={`/webhooks?endpoint=${endpoint.endpoint_id}`}>
              <ScrollText aria-hidden="true" />
              Show its deliveries
            </a>
          </MenuItem>
          <MenuItem onSelect={() => setDialog("edit")}>
            <Radio aria-hidden="true" />
            Change
          </MenuItem>
          <MenuItem onSelect={() => setDialog("rotate")}>
            <RefreshCw aria-hidden="true" />
            Rotate secret
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </MenuContent>
      </Menu>
      <Dialog
        open={dialog === "edit"}
        onOpenChange={(next) => !next && close()}
        holds
        title="Change endpoint"
        description="What waits to be sent goes to the new address."
      >
        <EndpointForm endpoint={endpoint} onClose={close} onSecret={onSecret} />
      </Dialog>
      <RotateDialog
        endpoint={endpoint}
        open={dialog === "rotate"}
        onClose={close}
        onSecret={onSecret}
      />
      <ConfirmDialog
        open={dialog === "delete"}
        onOpenChange={(next) => !next && close()}
        title="Delete this endpoint?"
        action="Delete endpoint"
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        What waits to be sent to it is not sent, and its secret is gone for good.
      </ConfirmDialog>
    </li>
  );
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.disabled_at)
    return (
      <p className="mt-1.5 text-danger text-xs">
        Switched off <RelativeTime time={endpoint.disabled_at} />: nothing had arrived for{" "}
        {ENDPOINT_FAILING_DAYS} days. Mend the receiver, then switch it on again.
      </p>
    );
  if (endpoint.failing_since)
    return (
      <p className="mt-1.5 text-warning text-xs">
        Nothing has arrived since <RelativeTime time={endpoint.failing_since} />.
      </p>
    );
  return null;
}

const valuesSchema = z.object({
  url: z.url({ protocol: /^https?$/, error: "Enter an address that begins with https://." }),
  events: z.array(z.string()).min(1, "Choose at least one kind of event."),
  description: z.string().max(500, "At most 500 characters."),
});
type Values = z.infer<typeof valuesSchema>;
type EventName = (typeof EVENT_TYPE_NAMES)[number] | typeof EVERY_EVENT;

function EndpointForm({
  endpoint,
  onClose,
  onSecret,
}: {
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const form = useForm<Values>({
    resolver: zodResolver(valuesSchema),
    defaultValues: {
      url: endpoint?.url ?? "",
      events: endpoint?.events ?? ["run.requires_action", "run.failed"],
      description: endpoint?.description ?? "",
    },
  });
  const { errors } = form.formState;
  const save = useConsoleMutation(
    async ({ url, events, description }: Values) => {
      const body = {
        url,
        events: events as EventName[], // of the list below
        description: description.trim() || null,
      };
      if (endpoint) {
        const params = { path: { endpoint_id: endpoint.endpoint_id } };
        await consoleApi.patch("/v1/webhook-endpoints/{endpoint_id}", { params, body });
        return null;
      }
      return (await consoleApi.post("/v1/webhook-endpoints", { body })).secret;
    },
    {
      stale: ["/v1/webhook-endpoints"],
      quiet: true,
      done: endpoint ? "The endpoint was changed." : "The endpoint was added.",
      onSuccess: (secret) => {
        onClose();
        if (secret) onSecret(secret);
      },
    },
  );
  return (
    <form
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      noValidate
      className="grid gap-4"
    >
      {save.error && (
        <Alert tone="danger" title="That was not saved" alert>
          {messageOf(save.error)}
        </Alert>
      )}
      <Field label="Address" error={errors.url?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("url")}
            type="url"
            spellCheck={false}
            className="font-mono"
            placeholder="https://example.com/hooks/events"
          />
        )}
      </Field>
      <Controller
        control={form.control}
        name="events"
        render={({ field }) => (
          <EventChoice
            value={field.value}
            onChange={field.onChange}
            error={errors.events?.message}
          />
        )}
      />
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("description")}
            autoComplete="off"
            placeholder="Who listens there, and what for"
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={save.isPending}>
          {endpoint ? "Save" : "Add endpoint"}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Every event, or some kinds of them. */
function EventChoice({
  value,
  onChange,
  error,
}: {
  value: string[];
  onChange: (events: string[]) => void;
  error: string | undefined;
}) {
  const all = value.includes(EVERY_EVENT);
  const choices = [
    { type: EVERY_EVENT, text: "Everything, later kinds too" },
    ...EVENT_TYPE_NAMES.map((type) => ({ type, text: EVENT_TYPES[type] })),
  ];
  const toggle = (type: string, checked: boolean) => {
    if (type === EVERY_EVENT) return onChange(checked ? [EVERY_EVENT] : []);
    onChange(checked ? [...value, type] : value.filter((each) => each !== type));
  };
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Events</legend>
      {choices.map(({ type, text }) => (
        <label key={type} className="flex items-baseline gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4 shrink-0 translate-y-0.5 accent-primary"
            checked={value.includes(type)}
            disabled={all && type !== EVERY_EVENT}
            onChange={(event) => toggle(type, event.target.checked)}
          />
          <span className="min-w-0">
            {text}
            {type !== EVERY_EVENT && (
              <code className="ml-2 font-mono text-faint text-xs">{type}</code>
            )}
          </span>
        </label>
      ))}
      {error && <p className="text-danger text-xs">{error}</p>}
    </fieldset>
  );
}

function RotateDialog({
  endpoint,
  open,
  onClose,
  onSecret,
}: {
  endpoint: WebhookEndpoint;
  open: boolean;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const [overlap, setOverlap] = useState("1440");
  const rotate = useConsoleMutation(
    () =>
      consoleApi.post("/v1/webhook-endpoints/{endpoint_id}/rotate-secret", {
        params: { path: { endpoint_id: endpoint.endpoint_id } },
        body: { overlap_minutes: Number(overlap) },
      }),
    {
      stale: ["/v1/webhook-endpoints"],
      quiet: true,
      done: "The secret was rotated.",
      onSuccess: ({ secret }) => {
        onClose();
        onSecret(secret);
      },
    },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Rotate the endpoint's secret"
      description={
        "During the overlap each call carries a signature of both secrets, so that the receiver " +
        "misses none while you swap."
      }
    >
      {rotate.error && (
        <Alert tone="danger" title="The secret was not rotated" alert className="mb-4">
          {messageOf(rotate.error)}
        </Alert>
      )}
      <OverlapField label="The old secret signs along for" value={overlap} onChange={setOverlap} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** An endpoint's secret, this once. */
function SecretShown({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={(next) => !next && onClose()}
      title="The endpoint's secret"
      description="Copy it now: it cannot be shown again. The receiver checks each call with it."
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code
          data-testid="endpoint-secret"
          className="min-w-0 flex-1 select-all break-all font-mono text-xs"
        >
          {secret}
        </code>
        <CopyButton text={secret ?? ""} what="secret" wordy />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
