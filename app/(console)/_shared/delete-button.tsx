"use client";

import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

interface DeleteButtonProps {
  /** The kind of thing, such as “run”. */
  noun: string;
  /** Where it has a name, the button is the bin alone. */
  name?: string;
  remove: { mutate: () => void; isPending: boolean };
  /** What goes with it, what stays, and whether it can be undone. */
  children: ReactNode;
}

/** Deletes the thing whose page this is, once that has been confirmed. */
export function DeleteButton({ noun, name, remove, children }: DeleteButtonProps) {
  const [asked, setAsked] = useState(false);
  const title = `Delete ${name ?? `this ${noun}`}`;
  return (
    <>
      <Button
        size={name ? "icon" : undefined}
        aria-label={name && title}
        onClick={() => setAsked(true)}
      >
        <Trash2 aria-hidden="true" />
        {!name && "Delete"}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`${title}?`}
        action={`Delete ${noun}`}
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
