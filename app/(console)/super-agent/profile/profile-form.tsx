"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { consolePaths } from "@/lib/console/console-paths";
import { type ProfileValues, profileValuesSchema, toProductProfile, toProfileValues } from "@/lib/console/profile-values";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { ProductProfile } from "@/lib/console/shapes/product-profile";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { BrandFields } from "./brand-fields";
import { LeaveGuard } from "./leave-guard";

/** The whole profile in one form; saving replaces the whole. */
export function ProfileForm({ profile }: { profile: ProductProfile }) {
  // What was typed stays when the profile is read again in the background.
  const form = useForm<ProfileValues>({
    resolver: zodResolver(profileValuesSchema),
    values: toProfileValues(profile),
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty } = form.formState;
  const save = useConsoleMutation(
    (body: ProductProfile) => requestConsoleJson<ProductProfile>(consolePaths.productProfile, { method: "PUT", body }),
    {
      stale: [consolePaths.productProfile],
      quiet: true,
      done: "The profile was saved.",
      onSuccess: (saved) => form.reset(toProfileValues(saved)),
    },
  );
  return (
    <form
      onSubmit={form.handleSubmit((values) => save.mutate(toProductProfile(values, profile)))}
      noValidate
      className="grid gap-5 p-4 sm:p-5"
    >
      <LeaveGuard on={isDirty && !save.isPending} />
      {save.error && (
        <Notice tone="danger" title="The profile was not saved" alert>
          {save.error.message} What you typed is still here.
        </Notice>
      )}
      <ProductFields form={form} />
      <BrandFields form={form} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!isDirty}>
          Save profile
        </Button>
        <Button disabled={!isDirty || save.isPending} onClick={() => form.reset()}>
          Discard changes
        </Button>
        {isDirty && <span className="text-muted text-xs">Not saved yet</span>}
      </div>
    </form>
  );
}

const FIELDS = [
  { name: "name", label: "Name", long: false, hint: undefined },
  { name: "tagline", label: "Tagline", long: false, hint: "One sentence." },
  { name: "description", label: "Description", long: true, hint: "What it is and does." },
  { name: "audience", label: "Audience", long: true, hint: "Who it is for." },
  { name: "tone", label: "Tone", long: true, hint: "How it speaks: warm and short, never salesy." },
  { name: "instructions", label: "Instructions", long: true, hint: "What the super-agent must always or never do." },
] as const;

function ProductFields({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { errors } = form.formState;
  return FIELDS.map(({ name, label, long, hint }) => (
    <Field key={name} label={label} hint={hint} error={errors[name]?.message}>
      {(control) =>
        long ? (
          <Textarea {...control} {...form.register(name)} className="min-h-20" />
        ) : (
          <Input {...control} {...form.register(name)} autoComplete="off" />
        )
      }
    </Field>
  ));
}
