"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Secret } from "@/lib/console/shapes/secret";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { SecretHostsField } from "./secret-hosts-field";
import { SecretNameField } from "./secret-name-field";
import { SecretValueField } from "./secret-value-field";
import { hostsOf, type SecretValues, secretValuesSchema } from "./secret-values";

/** Name, value, hosts and description. Unmounting forgets them. */
export function SecretForm({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
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
    stale: ["v1/secrets"],
    quiet: true,
    done: secret ? `${secret.name} has its new value.` : "The secret was added.",
    onSuccess: onClose,
  });
  return (
    <form onSubmit={form.handleSubmit(() => save.mutate())} noValidate autoComplete="off" className="grid gap-4">
      {save.error && (
        <Notice tone="danger" title="That was not saved" alert>
          {save.error.code === "CONFLICT" && !secret
            ? `${save.error.message} Replace its value from the list instead.`
            : save.error.message}
        </Notice>
      )}
      {!secret && <SecretNameField form={form} />}
      <SecretValueField register={form.register("value")} error={errors.value?.message} fresh={secret !== null} />
      <SecretHostsField form={form} />
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => (
          <Input {...control} {...form.register("description")} autoComplete="off" placeholder="Whose key it is, and what for" />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {secret ? "Replace value" : "Add secret"}
        </Button>
      </DialogActions>
    </form>
  );
}

function requestSave(secret: Secret | null, { name, value, hosts, description }: SecretValues): Promise<Secret> {
  const body = { value, description: description.trim() || null, allowed_hosts: hostsOf(hosts) };
  return secret
    ? requestConsoleJson<Secret>(consolePaths.secret(secret.name), { method: "PUT", body })
    : requestConsoleJson<Secret>("v1/secrets", { method: "POST", body: { name, ...body } });
}
