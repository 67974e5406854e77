"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";
import { useConsoleMutation } from "@/lib/console/queries";
import { NAME_MAX_CHARACTERS } from "@/lib/model/limits";

const schema = z.object({ name: z.string().trim().max(NAME_MAX_CHARACTERS, `At most ${NAME_MAX_CHARACTERS} characters.`) });

/** How the signed-in person is called here. */
export function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(schema), values: { name } });
  const router = useRouter();
  const rename = useConsoleMutation((body: { name: string }) => consoleApi.patch("/profile", { body }), {
    quiet: true,
    done: "Saved.",
    onSuccess: () => router.refresh(),
  });
  return (
    <form onSubmit={form.handleSubmit((values) => rename.mutate(values))} noValidate className="flex flex-wrap items-start gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Name" error={form.formState.errors.name?.message ?? messageOf(rename.error)}>
          {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
        </Field>
      </div>
      <Button type="submit" busy={rename.isPending} disabled={!form.formState.isDirty} className="mt-[1.625rem] h-9">
        Save name
      </Button>
    </form>
  );
}
