import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { CreateWorkspaceButton, WorkspaceList } from "./workspace-list";
export const metadata: Metadata = { title: "Workspaces" };

export default function WorkspacesPage() {
  return (
    <Hydrate pages={[reads.workspaces]}>
      <PageHeader
        title="Workspaces"
        description="Folders of files that a run may be given to read."
      >
        <CreateWorkspaceButton />
      </PageHeader>
      <WorkspaceList />
    </Hydrate>
  );
}
