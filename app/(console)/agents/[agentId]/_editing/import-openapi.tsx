"use client";

import { FileInput } from "lucide-react";
import { type ChangeEvent, type FormEvent, useState } from "react";
import { toast } from "sonner";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { ConvertOpenapiRequest } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { insertHttpTools } from "@/lib/console/config/config-draft";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { HttpToolEntry } from "@/lib/model/agent-config/openapi-tools";
import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";

interface ImportOpenapiProps {
  /** The config as it is written now. */
  text: string;
  onInsert: (text: string) => void;
}

/**
 * Makes `http` tools of an OpenAPI document and puts them into the config that is being written.
 * Nothing is stored by it.
 */
export function ImportOpenapi(props: ImportOpenapiProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <FileInput aria-hidden="true" />
        Import from OpenAPI
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        wide
        title="Import tools from OpenAPI"
        description={
          "Operations of an OpenAPI 3 document become tools of this agent. They are put into the " +
          "text of the config; you save it."
        }
      >
        <ImportSteps {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ImportSteps({ text, onInsert, onClose }: ImportOpenapiProps & { onClose: () => void }) {
  const [source, setSource] = useState<JsonObject | null>(null);
  const convert = useConvert();
  const list = (document: JsonObject) =>
    convert.mutate({ document }, { onSuccess: () => setSource(document) });
  if (source === null || !convert.data)
    return (
      <DocumentForm
        loading={convert.isPending}
        error={convert.error}
        onDocument={list}
        onClose={onClose}
      />
    );
  const insert = (tools: readonly HttpToolEntry[]) => {
    const next = insertHttpTools(text, tools);
    if (next === null)
      return void toast.error(
        "The config has an error. Correct it first: then tools can be put into it.",
      );
    onInsert(next);
    onClose();
    toast.success(
      `${tools.length === 1 ? "One tool was" : `${tools.length} tools were`} put into the ` +
        "config. Save it to use them.",
    );
  };
  return (
    <ChooseOperations
      source={source}
      all={convert.data.operations}
      onInsert={insert}
      onClose={onClose}
    />
  );
}

function useConvert() {
  return useConsoleMutation(
    (body: ConvertOpenapiRequest) => consoleApi.post("/v1/connectors/openapi", { body }),
    { quiet: true },
  );
}

/** The service takes a body of a megabyte. */
const DOCUMENT_MAX_CHARACTERS = 1_000_000;
const VALUES_MAX = 200_000;

interface DocumentFormProps {
  loading: boolean;
  error: Error | null;
  onDocument: (document: JsonObject) => void;
  onClose: () => void;
}

function DocumentForm({ loading, error, onDocument, onClose }: DocumentFormProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    void event.target.files?.[0]?.text().then(setText);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const document = readDocument(text);
    setProblem(typeof document === "string" ? document : null);
    if (typeof document !== "string") onDocument(document);
  };
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field
        label="OpenAPI document"
        hint="OpenAPI 3, as JSON or YAML."
        error={problem ?? (error && messageOf(error))}
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="max-h-64 min-h-40 font-mono text-xs"
          />
        )}
      </Field>
      <Field label="Or a file" optional>
        {(control) => (
          <Input
            {...control}
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            onChange={take}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={loading}>
          List operations
        </Button>
      </DialogActions>
    </form>
  );
}

/** The document, or what is wrong with it. */
function readDocument(text: string): JsonObject | string {
  if (text.trim() === "") return "Paste a document, or choose a file.";
  const loaded = loadYaml(text, { maxCharacters: DOCUMENT_MAX_CHARACTERS, maxValues: VALUES_MAX });
  if (!loaded.ok) {
    const [first] = loaded.errors;
    return first ? `Line ${first.line}: ${first.message}` : "This is neither JSON nor YAML.";
  }
  return isJsonObject(loaded.value)
    ? loaded.value
    : "This is no OpenAPI document: it must be an object.";
}

interface ChooseOperationsProps {
  source: JsonObject;
  all: readonly { operation: string; method: string; path: string; summary: string | null }[];
  onInsert: (tools: readonly HttpToolEntry[]) => void;
  onClose: () => void;
}

function ChooseOperations({ source, all, onInsert, onClose }: ChooseOperationsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [baseUrl, setBaseUrl] = useState("");
  const [secret, setSecret] = useState("");
  const { data: secrets } = useConsoleQuery(reads.secrets);
  const convert = useConvert();
  const toggle = (operation: string) => {
    const next = new Set(chosen);
    if (!next.delete(operation)) next.add(operation);
    setChosen(next);
    convert.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    convert.mutate({
      document: source,
      operations: [...chosen],
      ...(baseUrl && { base_url: baseUrl }),
      ...(secret && { auth_secret: secret }),
    });
  };
  // The service made them by the config's own schema.
  const tools = (convert.data?.tools ?? []) as unknown as HttpToolEntry[];
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-medium text-sm">Operations</legend>
        <ScrollRegion label="Operations" className="max-h-64 rounded-md border border-line">
          {all.map(({ operation, method, path, summary }) => (
            <label
              key={operation}
              className="flex cursor-pointer items-start gap-2.5 px-3 py-2 text-sm hover:bg-hover/60"
            >
              <input
                type="checkbox"
                checked={chosen.has(operation)}
                onChange={() => toggle(operation)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-mono text-xs">
                  {method} {path}
                </span>
                {summary && <span className="block text-muted text-xs">{summary}</span>}
              </span>
            </label>
          ))}
        </ScrollRegion>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Address" optional hint="In place of the document's first server.">
          {(control) => (
            <Input
              {...control}
              type="url"
              value={baseUrl}
              placeholder="https://"
              onChange={(event) => setBaseUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Secret" hint="Sent as the calls' authorization.">
          {(control) => (
            <Select {...control} value={secret} onChange={(event) => setSecret(event.target.value)}>
              <option value="">None</option>
              {secrets?.data.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {convert.error && (
        <Alert tone="danger" title={messageOf(convert.error)} alert>
          Nothing was put into the config.
        </Alert>
      )}
      {convert.data && convert.data.left_out.length > 0 && (
        <Alert tone="warning" title="Some operations cannot be tools">
          {convert.data.left_out.map(({ operation, reason }) => (
            <span key={operation} className="block [overflow-wrap:anywhere]">
              {operation}: {reason}
            </span>
          ))}
        </Alert>
      )}
      {tools.length > 0 && (
        <CodeBlock
          code={JSON.stringify(tools, null, 2)}
          label="tools that are put into the config"
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          loading={convert.isPending}
          disabled={chosen.size === 0}
          variant={tools.length === 0 ? "primary" : "secondary"}
        >
          Preview
        </Button>
        {tools.length > 0 && (
          <Button variant="primary" onClick={() => onInsert(tools)}>
            Put into the config
          </Button>
        )}
      </DialogActions>
    </form>
  );
}
