"use client";
import { Upload } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ImportAgentDialog } from "./import-agent-dialog";

export function ImportAgentButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload aria-hidden="true" />
        Import
      </Button>
      <ImportAgentDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}
