"use client";
import { FileUp, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { type DragEvent, type FormEvent, useRef, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import type { components } from "@/lib/client/openapi-types";
import { consoleApi, detailsOf, messageOf } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

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

/** The service's own limit, told before 4 MiB have travelled. */
const DOCUMENT_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Makes an agent of an exported document, from a file or pasted. Nothing is stored when it does not
 * fit.
 */
function ImportAgentDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Import an agent"
      description={
        "From a document that “Export as YAML” wrote, here or at another Lathe. It becomes an " +
        "agent of its own."
      }
    >
      <ImportForm onCancel={onClose} />
    </Dialog>
  );
}

interface ImportFormProps {
  onCancel: () => void;
  /** A document to begin with, such as that of a template. */
  initialText?: string;
  /** What the button says. */
  action?: string;
  /** What is said when it was done. */
  done?: string;
}

export function ImportForm({
  onCancel,
  initialText = "",
  action = "Import agent",
  done = "The agent was imported.",
}: ImportFormProps) {
  const router = useRouter();
  const [text, setText] = useState(initialText);
  const [tooLarge, setTooLarge] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useConsoleMutation(
    () =>
      consoleApi.post("/v1/agents/import", {
        headers: { "Content-Type": "application/yaml" },
        // The types say what the document holds; what is sent is its text, as it was written.
        body: {} as components["schemas"]["AgentDocument"],
        bodySerializer: () => text,
      }),
    {
      stale: ["/v1/agents"],
      quiet: true,
      done,
      onSuccess: (agent) => router.push(`/agents/${agent.agent_id}`),
    },
  );
  const take = (next: string) => {
    setText(next);
    setTooLarge(false);
    send.reset();
  };
  const read = (file: File) =>
    file.size > DOCUMENT_MAX_BYTES ? setTooLarge(true) : void file.text().then(take);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <DocumentDrop onFile={read} />
      <Field
        label="Document"
        error={
          tooLarge ? "This file is larger than 4 MiB, the most that a document may have." : null
        }
      >
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
      {send.error && (
        <ImportProblem
          error={send.error}
          onGo={(line, column) => area.current && goTo(area.current, line, column)}
        />
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          loading={send.isPending}
          disabled={text.trim() === ""}
        >
          {action}
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

interface ImportProblemProps {
  error: Error;
  onGo: (line: number, column: number) => void;
}

/** Why a document was refused, place by place. */
function ImportProblem({ error, onGo }: ImportProblemProps) {
  const places = detailsOf(error).filter((detail) => detail.line !== undefined);
  return (
    <Alert tone="danger" title="The agent was not imported" alert>
      {places.length === 0 ? (
        messageOf(error)
      ) : (
        <ul className="mt-1 grid gap-1">
          {places.map(({ path, message, line = 1, column = 1 }) => (
            <li key={`${line}:${column} ${message}`}>
              <button
                type="button"
                onClick={() => onGo(line, column)}
                className="text-left underline-offset-4 hover:underline"
              >
                {path && <code className="mr-1 font-mono text-foreground text-xs">{path}</code>}
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** Takes one file, picked or dropped. */
function DocumentDrop({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={mergeClasses(
        "flex cursor-pointer items-center gap-3 rounded-lg border border-dashed px-4 py-3.5 " +
          "text-sm focus-within:outline-2 focus-within:outline-accent",
        over ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-hover/60",
      )}
    >
      <FileUp aria-hidden="true" className="size-5 text-faint" />
      <span>
        <span className="font-medium">Choose a file</span>{" "}
        <span className="text-muted">or drop it here, or paste below.</span>
      </span>
      <input
        type="file"
        accept=".yaml,.yml,.json,application/yaml"
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
          // The same file, corrected, can be picked again.
          event.target.value = "";
        }}
      />
    </label>
  );
}
