"use client";
import { parseAsString, useQueryState } from "nuqs";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Badge } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { type RowOf, reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";
import { ImportForm } from "./import-agent-button";

type Template = RowOf<"/v1/templates">;

/**
 * Complete agents to begin with. While the built-in model is the only one, only those that it does
 * right.
 */
export function TemplateGallery() {
  const [picked, setPicked] = useQueryState("template", parseAsString);
  const list = useConsolePages(reads.templates);
  const models = useConsoleQuery(reads.models);
  const all = list.data?.pages.flatMap((page) => page.data);
  const hasModel =
    models.data?.data.some(({ available, provider }) => available && provider !== "builtin") ??
    false;
  const shown = models.isPending
    ? []
    : all?.filter(({ works_offline: works }) => works || hasModel);
  const hidden = (all?.length ?? 0) - (shown?.length ?? 0);
  return (
    <section aria-label="Templates" className="p-4">
      <h2 className="caption mb-2.5">Start from a template</h2>
      {list.error && !all && <QueryProblem error={list.error} retry={() => void list.refetch()} />}
      <ul className="grid gap-3 sm:grid-cols-2">
        {shown?.map((template) => (
          <li key={template.name}>
            <TemplateCard template={template} onPick={() => void setPicked(template.name)} />
          </li>
        ))}
      </ul>
      {hidden > 0 && !models.isPending && (
        <p className="mt-3 text-muted text-sm">
          {hidden} more need a language model; only the built-in one of rules is switched on. See
          “Models” for how to change that.
        </p>
      )}
      <Dialog
        wide
        open={picked !== null}
        onOpenChange={(next) => !next && void setPicked(null)}
        title={all?.find(({ name }) => name === picked)?.title ?? "Template"}
        description="Read it, change what you like, and make it an agent of your own."
      >
        {picked !== null && <TemplateForm name={picked} onCancel={() => void setPicked(null)} />}
      </Dialog>
    </section>
  );
}

function TemplateCard({ template, onPick }: { template: Template; onPick: () => void }) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="h-full w-full rounded-lg border border-line bg-surface p-4 text-left transition-colors hover:border-line-strong hover:bg-hover/40"
    >
      <span className="flex items-center gap-2.5 font-medium text-sm">
        <AgentGlyph agentId={template.name} className="size-6 rounded-sm" />
        <span className="min-w-0 flex-1">{template.title}</span>
        <Badge>{template.category}</Badge>
      </span>
      <span className="mt-2 block text-muted text-sm">{template.description}</span>
    </button>
  );
}

function TemplateForm({ name, onCancel }: { name: string; onCancel: () => void }) {
  const { data, error, refetch } = useConsoleQuery(reads.template(name));
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-56 w-full" />;
  return (
    <div className="grid gap-4">
      {data.needs.length > 0 && (
        <section aria-label="What it needs">
          <h3 className="caption mb-1.5">What it needs</h3>
          <ul className="grid gap-1 text-sm">
            {data.needs.map(({ kind, text }) => (
              <li key={text} className="flex items-baseline gap-2">
                {kind !== "other" && <Badge>{kind}</Badge>}
                <span className="text-muted">{text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ImportForm
        initialText={data.content}
        onCancel={onCancel}
        action="Create agent"
        done="The agent was created."
      />
    </div>
  );
}
