export interface WorkspaceFile {
  file_id: string;
  path: string;
  name: string;
  size_bytes: number;
  content_type: string;
  sha256: string;
  created_at: string;
}
