export interface Workspace {
  workspace_id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}
