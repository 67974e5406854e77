"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { DocumentDrop } from "./document-drop";
import { ImportProblem } from "./import-problem";

/** The service's own limit, told before 4 MiB have travelled. */
const DOCUMENT_MAX_BYTES = 4 * 1024 * 1024;

/** Makes an agent of an exported document, from a file or pasted. Nothing is stored when it does not fit. */
export function ImportAgentDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Import an agent"
      description="From a document that “Export as YAML” wrote, here or at another Lathe. It becomes an agent of its own."
    >
      <ImportForm onCancel={onClose} />
    </Dialog>
  );
}

function ImportForm({ onCancel }: { onCancel: () => void }) {
  const router = useRouter();
  const [text, setText] = useState("");
  const [tooLarge, setTooLarge] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useConsoleMutation(
    () => requestConsoleJson<AgentRecord>("v1/agents/import", { method: "POST", text: { type: "application/yaml", content: text } }),
    { stale: ["v1/agents"], quiet: true, done: "The agent was imported.", onSuccess: (agent) => router.push(`/agents/${agent.agent_id}`) },
  );
  const take = (next: string) => {
    setText(next);
    setTooLarge(false);
    send.reset();
  };
  const read = (file: File) => (file.size > DOCUMENT_MAX_BYTES ? setTooLarge(true) : void file.text().then(take));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <DocumentDrop onFile={read} />
      <Field label="Document" error={tooLarge ? "This file is larger than 4 MiB, the most that a document may have." : null}>
        {(control) => (
          <Textarea
            {...control}
            ref={area}
            value={text}
            onChange={(event) => take(event.target.value)}
            spellCheck={false}
            placeholder={"kind: agent\nformat: 1\nname: …"}
            className="field-sizing-fixed h-56 font-mono text-xs"
          />
        )}
      </Field>
      {send.error && <ImportProblem error={send.error} onGo={(line, column) => area.current && goTo(area.current, line, column)} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={send.isPending} disabled={text.trim() === ""}>
          Import agent
        </Button>
      </DialogActions>
    </form>
  );
}

/** Selects the rest of a line from a column on; both count from 1. */
function goTo(area: HTMLTextAreaElement, line: number, column: number): void {
  const lines = area.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(before + column - 1, before + (lines[line - 1]?.length ?? 0));
  // Selecting alone does not scroll in every browser.
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 3);
}
