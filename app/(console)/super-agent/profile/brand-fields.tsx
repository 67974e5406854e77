"use client";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { linesOf, type ProfileValues } from "@/lib/console/profile-values";

/** Colours, logo and links. The logo stays an address: the console loads no pictures from elsewhere. */
export function BrandFields({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { errors } = form.formState;
  const colors = linesOf(useWatch({ control: form.control, name: "colors" }));
  return (
    <>
      <div className="grid gap-2">
        <Field label="Brand colours" hint="One a line: #0b3d4f, or any name of a colour." error={errors.colors?.message}>
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
      <Field label="Logo address" hint="The super-agent is told where it is; it is not loaded here." error={errors.logo_url?.message}>
        {(control) => (
          <Input {...control} {...form.register("logo_url")} type="url" autoComplete="off" placeholder="https://example.com/logo.svg" />
        )}
      </Field>
      <Field label="Links" hint="One a line: the address, then a title if you like." error={errors.links?.message}>
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

/** What a browser does not know as a colour shows as an empty frame. Only a colour's own letters get into the style. */
function Swatches({ colors }: { colors: string[] }) {
  if (colors.length === 0) return null;
  return (
    <ul aria-label="Colours" className="flex flex-wrap gap-2">
      {[...new Set(colors)].map((color) => (
        <li key={color} className="flex min-w-0 items-center gap-1.5 text-muted text-xs">
          <span
            aria-hidden="true"
            className="size-4 shrink-0 rounded-sm border border-line-strong"
            style={/^[#\w(),.%/ -]+$/.test(color) && !/url|image|var/i.test(color) ? { backgroundColor: color } : undefined}
          />
          <span className="truncate font-mono">{color}</span>
        </li>
      ))}
    </ul>
  );
}
