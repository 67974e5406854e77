"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { type UseFormRegisterReturn, type UseFormReturn, useForm } from "react-hook-form";
import { z } from "zod";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { Secret } from "@/lib/client/schemas";
import { codeOf, consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { DESCRIPTION_MAX_CHARACTERS } from "@/lib/model/limits";
import {
  readAllowedHost,
  SECRET_MAX_ALLOWED_HOSTS,
  SECRET_NAME,
  SECRET_VALUE_MAX_BYTES,
} from "@/lib/model/secret/allowed-host";
import { trimEnd } from "@/lib/model/text/trim";

interface SecretDialogProps {
  /** Null adds one. */
  secret: Secret | null;
  open: boolean;
  onClose: () => void;
}

/** Adds a secret, or gives one a new value. Nothing typed outlives the dialog. */
export function SecretDialog({ secret, open, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      holds
      title={secret ? `Replace ${secret.name}` : "Add secret"}
      description={
        secret
          ? "The value cannot be read back, so enter it whole. Runs use the new one from their " +
            "next call on."
          : "Agents name it in their config, as auth_secret of a connector, and never see the " +
            "value."
      }
    >
      <SecretForm secret={secret} onClose={onClose} />
    </Dialog>
  );
}

/** Name, value, hosts and description. Unmounting forgets them. */
function SecretForm({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
  const form = useForm<SecretValues>({
    resolver: zodResolver(secretValuesSchema),
    defaultValues: {
      name: secret?.name ?? "",
      value: "",
      hosts: secret?.allowed_hosts.join("\n") ?? "",
      description: secret?.description ?? "",
    },
  });
  const { errors } = form.formState;
  // Without variables: what a mutation is called with stays in the query cache for minutes.
  const save = useConsoleMutation(() => requestSave(secret, form.getValues()), {
    stale: ["/v1/secrets"],
    quiet: true,
    done: secret ? `${secret.name} has its new value.` : "The secret was added.",
    onSuccess: onClose,
  });
  return (
    <form
      onSubmit={form.handleSubmit(() => save.mutate())}
      noValidate
      autoComplete="off"
      className="grid gap-4"
    >
      {save.error && (
        <Alert tone="danger" title="That was not saved" alert>
          {codeOf(save.error) === "CONFLICT" && !secret
            ? `${messageOf(save.error)} Replace its value from the list instead.`
            : messageOf(save.error)}
        </Alert>
      )}
      {!secret && <SecretNameField form={form} />}
      <SecretValueField
        register={form.register("value")}
        error={errors.value?.message}
        fresh={secret !== null}
      />
      <SecretHostsField form={form} />
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("description")}
            autoComplete="off"
            placeholder="Whose key it is, and what for"
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={save.isPending}>
          {secret ? "Replace value" : "Add secret"}
        </Button>
      </DialogActions>
    </form>
  );
}

function requestSave(
  secret: Secret | null,
  { name, value, hosts, description }: SecretValues,
): Promise<Secret> {
  const body = { value, description: description.trim() || null, allowed_hosts: hostsOf(hosts) };
  return secret
    ? consoleApi.put("/v1/secrets/{name}", { params: { path: { name: secret.name } }, body })
    : consoleApi.post("/v1/secrets", { body: { name, ...body } });
}

/**
 * The hosts that the value may go to; those of the connectors that name the secret are offered,
 * never filled in unasked.
 */
function SecretHostsField({ form }: { form: UseFormReturn<SecretValues> }) {
  const { data: uses } = useConsoleQuery(reads.secretUses);
  const [name, text] = form.watch(["name", "hosts"]);
  const given = hostsOf(text);
  const wanted = new Set(
    uses?.data.filter((use) => use.secret_name === name).flatMap((use) => use.hosts),
  );
  const offered = [...wanted].filter((host) => !given.includes(host));
  return (
    <div className="grid gap-1.5">
      <Field
        label="Allowed hosts"
        hint={
          "Where the value may be sent, one a line: api.example.com, or with a port. It travels " +
          "over https only."
        }
        error={form.formState.errors.hosts?.message}
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register("hosts")}
            spellCheck={false}
            autoComplete="off"
            className="min-h-16 font-mono text-xs max-sm:text-[16px]"
            placeholder="api.example.com"
          />
        )}
      </Field>
      {offered.map((host) => (
        <Button
          key={host}
          variant="link"
          size="small"
          className="justify-self-start"
          onClick={() =>
            form.setValue("hosts", [...given, host].join("\n"), {
              shouldValidate: true,
              shouldDirty: true,
            })
          }
        >
          Add {host}, where a connector sends it
        </Button>
      ))}
    </div>
  );
}

interface SecretValueFieldProps {
  register: UseFormRegisterReturn<"value">;
  error: string | undefined;
  /** It takes the place of a value that is there. */
  fresh: boolean;
}

/**
 * The value, hidden while it is typed. A text area, as keys of several lines have to keep their
 * line ends; uncontrolled, so that the text never becomes part of the page's markup.
 */
function SecretValueField({ register, error, fresh }: SecretValueFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      label={fresh ? "New value" : "Value"}
      error={error}
      hint="This is the only time that it can be seen."
      aside={
        <Button variant="ghost" size="small" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {shown ? "Hide value" : "Show value"}
        </Button>
      }
    >
      {(control) => (
        <Textarea
          {...control}
          {...register}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          className={mergeClasses(
            "min-h-16 max-h-40 break-all font-mono text-xs max-sm:text-[16px]",
            !shown && "[-webkit-text-security:disc]",
          )}
        />
      )}
    </Field>
  );
}

/** The name, with its rule beside it while it is typed, and the nearest name that keeps to it. */
function SecretNameField({ form }: { form: UseFormReturn<SecretValues> }) {
  const name = form.watch("name");
  const fits = SECRET_NAME.test(name);
  const proposal = name !== "" && !fits ? proposeSecretName(name) : null;
  return (
    <div className="grid gap-1.5">
      <Field
        label="Name"
        hint={
          fits
            ? `In a config: auth_secret: ${name}`
            : "Capital letters, digits and _, starting with a letter. Up to 64 characters."
        }
        error={
          proposal === null ? form.formState.errors.name?.message : "This name breaks the rule."
        }
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("name")}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="font-mono"
            placeholder="CRM_KEY"
          />
        )}
      </Field>
      {proposal && (
        <Button
          variant="link"
          size="small"
          className="justify-self-start"
          onClick={() =>
            form.setValue("name", proposal, { shouldValidate: true, shouldDirty: true })
          }
        >
          Use {proposal}
        </Button>
      )}
    </div>
  );
}

/**
 * The nearest name that a secret may have (`crm key` → `CRM_KEY`); null when nothing is left of it.
 */
export function proposeSecretName(typed: string): string | null {
  const name = typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 64);
  const trimmed = trimEnd(name, "_");
  return SECRET_NAME.test(trimmed) ? trimmed : null;
}

/** What the form holds; `hosts` is a text with one a line. */
const secretValuesSchema = z.object({
  name: z
    .string()
    .regex(
      SECRET_NAME,
      "Start with a capital letter, then capital letters, digits and _, 64 characters at most.",
    ),
  value: z
    .string()
    .min(1, "Enter the value.")
    .refine(
      (text) => new TextEncoder().encode(text).length <= SECRET_VALUE_MAX_BYTES,
      `At most ${SECRET_VALUE_MAX_BYTES.toLocaleString("en")} bytes.`,
    ),
  hosts: z.string().superRefine((text, context) => {
    const hosts = hostsOf(text);
    if (hosts.length === 0)
      context.addIssue({
        code: "custom",
        message: "Name a host that the value may be sent to, such as api.example.com.",
      });
    const bad = hosts.find((host) => readAllowedHost(host) === null);
    if (bad !== undefined)
      context.addIssue({
        code: "custom",
        message: `“${bad.slice(0, 80)}” is no host: write it without https:// and without a path.`,
      });
    if (hosts.length > SECRET_MAX_ALLOWED_HOSTS)
      context.addIssue({ code: "custom", message: `At most ${SECRET_MAX_ALLOWED_HOSTS} hosts.` });
  }),
  description: z
    .string()
    .max(
      DESCRIPTION_MAX_CHARACTERS,
      `At most ${DESCRIPTION_MAX_CHARACTERS.toLocaleString("en")} characters.`,
    ),
});

type SecretValues = z.infer<typeof secretValuesSchema>;

/** The hosts of a text: one a line, or between commas or spaces. */
function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
