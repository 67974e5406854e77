"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { consoleApi } from "@/lib/console/api";
import type { CreatedApiKey } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { VersionSelect } from "../_run/version-select";
import { RevealedKey, useNewKey } from "../_shared/new-key";

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give it a name, such as the service that will use it.")
    .max(255, "At most 255 characters."),
  agentId: z.string(),
  version: z.number().nullable(),
  expiresInDays: z.string(),
});
type Values = z.infer<typeof schema>;
const EMPTY: Values = { name: "", agentId: "", version: null, expiresInDays: "" };

interface CreateKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The key is for this agent; else the person picks. */
  agentId?: string;
  onCreated?: (key: CreatedApiKey) => void;
}

/** Asks for name, scope and expiry, then shows the key this once. */
export function CreateKeyDialog({
  open,
  onOpenChange,
  agentId: ofAgent,
  onCreated,
}: CreateKeyDialogProps) {
  const { remember } = useNewKey();
  const create = useConsoleMutation(
    ({ name, agentId, version, expiresInDays }: Values) =>
      consoleApi.post("/keys", {
        body: {
          name,
          ...(agentId ? { agent_id: agentId, version } : {}),
          ...(expiresInDays ? { expires_in_days: Number(expiresInDays) } : {}),
        },
      }),
    {
      stale: [reads.keys],
      quiet: true,
      onSuccess: (key) => {
        if (key.kind === "account") remember(key.api_key);
        onCreated?.(key);
      },
    },
  );
  const change = (next: boolean) => {
    onOpenChange(next);
    // After the closing motion, so that the key does not turn back into the form in view.
    if (!next) setTimeout(create.reset, 200);
  };
  const created = create.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      holds={Boolean(created)}
      title={created ? "Your key" : "Create key"}
      description={created ? `“${created.name}” is ready to be used.` : undefined}
    >
      {created ? (
        <>
          <RevealedKey apiKey={created.api_key} />
          <DialogActions>
            <Button variant="primary" onClick={() => change(false)}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <KeyForm
          ofAgent={ofAgent}
          loading={create.isPending}
          error={create.error?.message}
          onSubmit={(values) => create.mutate(values)}
          onCancel={() => change(false)}
        />
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  ofAgent: string | undefined;
  loading: boolean;
  error: string | undefined;
  onSubmit: (values: Values) => void;
  onCancel: () => void;
}

function KeyForm({ ofAgent, loading, error, onSubmit, onCancel }: KeyFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: { ...EMPTY, agentId: ofAgent ?? "" },
  });
  const agentId = form.watch("agentId");
  return (
    <form onSubmit={form.handleSubmit(onSubmit)} noValidate className="grid gap-4">
      {error && (
        <Alert tone="danger" title="The key was not created" alert>
          {error}
        </Alert>
      )}
      <Field label="Name" error={form.formState.errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("name")}
            placeholder="Production backend"
            autoComplete="off"
          />
        )}
      </Field>
      {ofAgent === undefined && (
        <ScopeField
          control={form.register("agentId", { onChange: () => form.setValue("version", null) })}
        />
      )}
      {agentId !== "" && (
        <VersionSelect
          agentId={agentId}
          value={form.watch("version")}
          unpicked="The current one of each run"
          onChange={(version) => form.setValue("version", version)}
        />
      )}
      <Field label="Expires">
        {(control) => (
          <Select {...control} {...form.register("expiresInDays")}>
            <option value="">Never</option>
            <option value="7">In 7 days</option>
            <option value="30">In 30 days</option>
            <option value="90">In 90 days</option>
            <option value="365">In a year</option>
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={loading}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}

function ScopeField({ control: registered }: { control: UseFormRegisterReturn }) {
  const { data: agents } = useConsoleQuery(reads.agents({ limit: 100 }));
  return (
    <Field label="Scope" hint="A key for one agent works on the app path alone.">
      {(control) => (
        <Select {...control} {...registered}>
          <option value="">The whole account</option>
          {agents?.data.map((agent) => (
            <option key={agent.agent_id} value={agent.agent_id}>
              Only {agent.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
