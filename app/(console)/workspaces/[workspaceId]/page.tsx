import type { Metadata } from "next";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { AssignedAgents, WorkspaceActions } from "../workspace-dialogs";
import { WorkspaceFiles } from "./workspace-files";

export const metadata: Metadata = { title: "Workspace" };

export default async function WorkspacePage({
  params,
}: {
  params: Promise<{ workspaceId: string }>;
}) {
  const { workspaceId } = await params;
  const workspace = await readOrNotFound(reads.workspace(workspaceId));
  const id = workspace.workspace_id;
  return (
    <Hydrate
      reads={[reads.workspaceAgents(id), reads.agents({ limit: 100 })]}
      pages={[reads.workspaceFiles(id)]}
    >
      <PageHeader
        back={{ href: "/workspaces", label: "Workspaces" }}
        title={workspace.name}
        description={workspace.description}
      >
        <WorkspaceActions workspace={workspace} />
      </PageHeader>
      <div className="-mt-3 mb-5">
        <IdChip id={id} what="workspace id" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <WorkspaceFiles workspaceId={id} />
        <AssignedAgents workspaceId={id} />
      </div>
    </Hydrate>
  );
}
