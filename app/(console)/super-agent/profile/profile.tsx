"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { ProductProfile } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import {
  linesOf,
  type ProfileValues,
  profileValuesSchema,
  toProductProfile,
  toProfileValues,
} from "@/lib/console/profile-values";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { LeaveGuard } from "../../_shared/leave-guard";
import { QueryProblem } from "../../_shared/query-problem";

export function Profile() {
  const { data, error, refetch } = useConsoleQuery(reads.productProfile);
  return (
    <Card aria-label="Profile" aria-busy={!data}>
      {error && !data && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-[60rem] rounded-none" />}
      {data && <ProfileForm profile={data} />}
    </Card>
  );
}

/** The whole profile in one form; saving replaces the whole. */
function ProfileForm({ profile }: { profile: ProductProfile }) {
  // What was typed stays when the profile is read again in the background.
  const form = useForm<ProfileValues>({
    resolver: zodResolver(profileValuesSchema),
    values: toProfileValues(profile),
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty } = form.formState;
  const save = useConsoleMutation(
    (body: ProductProfile) => consoleApi.put("/v1/product-profile", { body }),
    {
      stale: [reads.productProfile],
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
      <LeaveGuard on={isDirty && !save.isPending}>
        What you changed in the profile is not saved, and is gone when you leave.
      </LeaveGuard>
      {save.error && (
        <Alert tone="danger" title="The profile was not saved" alert>
          {messageOf(save.error)} What you typed is still here.
        </Alert>
      )}
      <ProductFields form={form} />
      <BrandFields form={form} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" loading={save.isPending} disabled={!isDirty}>
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
  {
    name: "instructions",
    label: "Instructions",
    long: true,
    hint: "What the super-agent must always or never do.",
  },
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

/**
 * Colours, logo and links. The logo stays an address: the console loads no pictures from elsewhere.
 */
function BrandFields({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { errors } = form.formState;
  const colors = linesOf(useWatch({ control: form.control, name: "colors" }));
  return (
    <>
      <div className="grid gap-2">
        <Field
          label="Brand colours"
          hint="One a line: #0b3d4f, or any name of a colour."
          error={errors.colors?.message}
        >
          {(control) => (
            <Textarea
              {...control}
              {...form.register("colors")}
              spellCheck={false}
              className="min-h-16 font-mono text-xs max-sm:text-[16px]"
              placeholder="#0b3d4f"
            />
          )}
        </Field>
        <Swatches colors={colors} />
      </div>
      <Field
        label="Logo address"
        hint="The super-agent is told where it is; it is not loaded here."
        error={errors.logo_url?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("logo_url")}
            type="url"
            autoComplete="off"
            placeholder="https://example.com/logo.svg"
          />
        )}
      </Field>
      <Field
        label="Links"
        hint="One a line: the address, then a title if you like."
        error={errors.links?.message}
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register("links")}
            spellCheck={false}
            className="min-h-16 font-mono text-xs max-sm:text-[16px]"
            placeholder="https://example.com/help Help"
          />
        )}
      </Field>
    </>
  );
}

/**
 * What a browser does not know as a colour shows as an empty frame. Only a colour's own letters get
 * into the style.
 */
function Swatches({ colors }: { colors: string[] }) {
  if (colors.length === 0) return null;
  return (
    <ul aria-label="Colours" className="flex flex-wrap gap-2">
      {[...new Set(colors)].map((color) => (
        <li key={color} className="flex min-w-0 items-center gap-1.5 text-muted text-xs">
          <span
            aria-hidden="true"
            className="size-4 shrink-0 rounded-sm border border-line-strong"
            style={
              /^[#\w(),.%/ -]+$/.test(color) && !/url|image|var/i.test(color)
                ? { backgroundColor: color }
                : undefined
            }
          />
          <span className="truncate font-mono">{color}</span>
        </li>
      ))}
    </ul>
  );
}
