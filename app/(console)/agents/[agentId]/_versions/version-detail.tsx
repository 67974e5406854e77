"use client";
import { ChevronLeft, RotateCcw } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Link } from "@/components/ui/link";
import { offerToast } from "@/components/ui/offer-toast";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Agent, AgentVersionMetadata } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { useAgentSaved } from "../_editing/use-text-editing";
import { ComparedVersions, SourceBadge, WholeVersion } from "./version-views";

interface VersionDetailProps {
  agent: Agent;
  version: AgentVersionMetadata;
  /** The versions that it can be compared with, itself among them, newest first. */
  versions: AgentVersionMetadata[];
  previous: AgentVersionMetadata | null;
  /** Back to the list, where there is no room for both. */
  onBack: () => void;
  onRestored: () => void;
}

/**
 * One version: what it changed, how it differs from any other, the whole of it, and the way back to
 * it.
 */
export function VersionDetail({
  agent,
  version,
  versions,
  previous,
  onBack,
  onRestored,
}: VersionDetailProps) {
  const [view, setView] = useState<"changes" | "whole">("changes");
  const [againstId, setAgainst] = useQueryState("against", parseAsString);
  const against =
    versions.find((other) => other.version_id === againstId && other !== version) ??
    previous ??
    null;
  const current = version.version_id === agent.current_version_id;
  return (
    <Card aria-label={`Version ${version.number}`}>
      <DetailHead version={version} onBack={onBack}>
        {!current && agent.status !== "archived" && (
          <RestoreButton agent={agent} version={version} onRestored={onRestored} />
        )}
      </DetailHead>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-2">
        <ToggleGroup
          label="What to show"
          value={view}
          options={[
            { value: "changes", label: "Changes" },
            { value: "whole", label: "Whole" },
          ]}
          onChange={setView}
        />
        {view === "changes" && against && (
          <Against
            version={version}
            versions={versions}
            previous={previous}
            value={against}
            onChange={(id) => void setAgainst(id)}
          />
        )}
      </div>
      {view === "whole" && <WholeVersion agentId={agent.agent_id} version={version} />}
      {view === "changes" && against && (
        <ComparedVersions agentId={agent.agent_id} {...inOrder(version, against)} />
      )}
      {view === "changes" && !against && <FirstVersion />}
    </Card>
  );
}

interface DetailHeadProps {
  version: AgentVersionMetadata;
  onBack: () => void;
  children: ReactNode;
}

function DetailHead({ version, onBack, children }: DetailHeadProps) {
  return (
    <div className="border-line border-b px-4 py-3">
      <Button variant="link" size="small" className="mb-2 lg:hidden" onClick={onBack}>
        <ChevronLeft aria-hidden="true" />
        All versions
      </Button>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold text-base">Version {version.number}</h2>
        <SourceBadge source={version.source} />
        <span className="text-muted text-xs">
          v{version.version} · <RelativeTime time={version.created_at} />
          {version.run_id && (
            <>
              {" · "}
              <Link
                href={`/runs/${version.run_id}`}
                className="text-accent underline-offset-4 hover:underline"
              >
                made by a run
              </Link>
            </>
          )}
        </span>
        {children && <span className="ml-auto">{children}</span>}
      </div>
      {version.release_note && (
        <p className="mt-1.5 text-sm [overflow-wrap:anywhere]">{version.release_note}</p>
      )}
    </div>
  );
}

/** The older one is always the “before”, whichever was picked first. */
function inOrder(one: AgentVersionMetadata, other: AgentVersionMetadata) {
  return one.number < other.number ? { before: one, after: other } : { before: other, after: one };
}

interface AgainstProps {
  version: AgentVersionMetadata;
  versions: AgentVersionMetadata[];
  previous: AgentVersionMetadata | null;
  value: AgentVersionMetadata;
  onChange: (versionId: string) => void;
}

function Against({ version, versions, previous, value, onChange }: AgainstProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted text-xs">
        Compared with
      </label>
      <Select
        id={id}
        value={value.version_id}
        onChange={(event) => onChange(event.target.value)}
        className="w-auto min-w-44"
      >
        {versions
          .filter((other) => other.version_id !== version.version_id)
          .map((other) => (
            <option key={other.version_id} value={other.version_id}>
              {`Version ${other.number}${noteOf(other, previous, versions[0])}`}
            </option>
          ))}
      </Select>
    </span>
  );
}

function noteOf(
  version: AgentVersionMetadata,
  previous: AgentVersionMetadata | null,
  newest: AgentVersionMetadata | undefined,
): string {
  if (version === previous) return ", the one before";
  return version === newest ? ", current" : "";
}

function FirstVersion(): ReactNode {
  return (
    <p className="px-4 py-6 text-muted text-sm">
      This is the first version: there is none before it. Look at the whole of it.
    </p>
  );
}

interface RestoreButtonProps {
  agent: Agent;
  version: AgentVersionMetadata;
  onRestored: () => void;
}

/**
 * Makes the agent read as it did in an earlier version. Asks first, and can be undone: that is one
 * more version.
 */
function RestoreButton({ agent, version, onRestored }: RestoreButtonProps) {
  const [open, setOpen] = useState(false);
  const take = useAgentSaved();
  const request = (versionId: string) =>
    consoleApi.post("/v1/agents/{agent_id}/versions/{version_id}/restore", {
      params: { path: { agent_id: agent.agent_id, version_id: versionId } },
    });
  const undo = useConsoleMutation(request, {
    done: "Undone: the agent is as it was before.",
    onSuccess: take,
  });
  const restore = useConsoleMutation(request, {
    onSuccess: (restored) => {
      const before = agent.current_version_id;
      setOpen(false);
      take(restored);
      onRestored();
      offerToast(`Version ${version.number} was restored.`, {
        label: "Undo",
        onClick: () => undo.mutate(before),
      });
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <RotateCcw aria-hidden="true" />
        Restore
      </Button>
      <ConfirmDialog
        calm
        open={open}
        onOpenChange={setOpen}
        title={`Restore version ${version.number}?`}
        action="Restore version"
        cancel="Cancel"
        loading={restore.isPending}
        onConfirm={() => restore.mutate(version.version_id)}
      >
        The agent will read as it did then, name and version number included. It is stored as a new
        version: nothing is lost, and runs that are under way are not touched.
      </ConfirmDialog>
    </>
  );
}
