"use client";
import { Plus } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { Button } from "@/components/ui/button";
import { CreateKeyDialog } from "../_keys/create-key-dialog";

/** Opens the dialog; so does `/keys?create=true`. */
export function CreateKeyButton() {
  const [open, setOpen] = useQueryState("create", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button look="primary" onClick={() => void setOpen(true)}>
        <Plus aria-hidden="true" />
        Create key
      </Button>
      <CreateKeyDialog open={open} onOpenChange={(next) => void setOpen(next ? true : null)} />
    </>
  );
}
