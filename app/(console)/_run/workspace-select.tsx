"use client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import type { Page } from "@/lib/console/shapes/page";
import type { Workspace } from "@/lib/console/shapes/workspace";
import { useConsoleQuery } from "@/lib/console/use-console-query";

interface PickProps {
  value: string;
  onChange: (value: string) => void;
}

export function WorkspaceSelect({ value, onChange }: PickProps) {
  const { data } = useConsoleQuery<Page<Workspace>>(consolePaths.workspaces);
  return (
    <Field label="Workspace" hint="Its files can be read by the run.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">None</option>
          {data?.data.map((workspace) => (
            <option key={workspace.workspace_id} value={workspace.workspace_id}>
              {workspace.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
