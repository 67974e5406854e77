"use client";
import type { UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { consolePaths } from "@/lib/console/console-paths";
import type { SecretUse } from "@/lib/console/shapes/secret";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { hostsOf, type SecretValues } from "./secret-values";

/** The hosts that the value may go to; those of the connectors that name the secret are offered, never filled in unasked. */
export function SecretHostsField({ form }: { form: UseFormReturn<SecretValues> }) {
  const { data: uses } = useConsoleQuery<{ data: SecretUse[] }>(consolePaths.secretUses);
  const [name, text] = form.watch(["name", "hosts"]);
  const given = hostsOf(text);
  const wanted = new Set(uses?.data.filter((use) => use.secret_name === name).flatMap((use) => use.hosts));
  const offered = [...wanted].filter((host) => !given.includes(host));
  return (
    <div className="grid gap-1.5">
      <Field
        label="Allowed hosts"
        hint="Where the value may be sent, one a line: api.example.com, or with a port. It travels over https only."
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
          look="link"
          size="small"
          className="justify-self-start"
          onClick={() => form.setValue("hosts", [...given, host].join("\n"), { shouldValidate: true, shouldDirty: true })}
        >
          Add {host}, where a connector sends it
        </Button>
      ))}
    </div>
  );
}
