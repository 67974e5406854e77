"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { formatCredits } from "@/components/format/format-credits";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { useChangeAccount } from "./use-change-account";

interface AddCreditsDialogProps {
  account: AdminAccount;
  open: boolean;
  onClose: () => void;
}

const CREDITS_MAX = 1_000_000_000;
const schema = z.object({
  credits: z
    .string()
    .trim()
    .regex(/^\d+(\.\d{1,6})?$/, "A number of credits, such as 500, with at most six decimals.")
    .refine((text) => Number(text) > 0 && Number(text) <= CREDITS_MAX, "More than 0, and at most 1,000,000,000."),
});

export function AddCreditsDialog({ account, open, onClose }: AddCreditsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Add credits"
      description={`${account.email} has ${formatCredits(account.credits)} credits. They can be spent at once, and are not taken back here.`}
    >
      <AddCreditsForm account={account} onClose={onClose} />
    </Dialog>
  );
}

function AddCreditsForm({ account, onClose }: Omit<AddCreditsDialogProps, "open">) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { credits: "" } });
  const change = useChangeAccount(account.account_id, { quiet: true, done: "The credits were added.", onSuccess: onClose });
  return (
    <form onSubmit={form.handleSubmit(({ credits }) => change.mutate({ add_credits: Number(credits) }))} noValidate>
      <Field label="Credits" error={form.formState.errors.credits?.message ?? change.error?.message}>
        {(control) => <Input {...control} {...form.register("credits")} inputMode="decimal" autoComplete="off" placeholder="500" />}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          Add credits
        </Button>
      </DialogActions>
    </form>
  );
}
