"use client";
import { Plus } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { Button } from "@/components/ui/button";
import { SecretDialog } from "./secret-dialog";

/** Opens the dialog; so does `/secrets?add=true`. */
export function AddSecretButton() {
  const [open, setOpen] = useQueryState("add", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button look="primary" onClick={() => void setOpen(true)}>
        <Plus aria-hidden="true" />
        Add secret
      </Button>
      <SecretDialog secret={null} open={open} onClose={() => void setOpen(null)} />
    </>
  );
}
