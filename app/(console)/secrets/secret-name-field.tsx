"use client";
import type { UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SECRET_NAME } from "@/lib/model/secret/secret-limits";
import { proposeSecretName } from "./propose-secret-name";
import type { SecretValues } from "./secret-values";

/** The name, with its rule beside it while it is typed, and the nearest name that keeps to it. */
export function SecretNameField({ form }: { form: UseFormReturn<SecretValues> }) {
  const name = form.watch("name");
  const fits = SECRET_NAME.test(name);
  const proposal = name !== "" && !fits ? proposeSecretName(name) : null;
  return (
    <div className="grid gap-1.5">
      <Field
        label="Name"
        hint={fits ? `In a config: auth_secret: ${name}` : "Capital letters, digits and _, starting with a letter. Up to 64 characters."}
        error={proposal === null ? form.formState.errors.name?.message : "This name breaks the rule."}
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
          look="link"
          size="small"
          className="justify-self-start"
          onClick={() => form.setValue("name", proposal, { shouldValidate: true, shouldDirty: true })}
        >
          Use {proposal}
        </Button>
      )}
    </div>
  );
}
