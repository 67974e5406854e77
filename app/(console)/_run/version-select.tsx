"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { InputSchema } from "@/lib/console/inputs";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isJsonObject } from "@/lib/model/json-schema/json-value";

interface VersionSelectProps {
  agentId: string;
  /** A version's number; null: the agent as it is. */
  value: number | null;
  /** What no version means, in words. */
  unpicked?: string;
  onChange: (number: number | null) => void;
}

/** One of an agent's versions, of the newest, or the agent as it is. */
export function VersionSelect({
  agentId,
  value,
  unpicked = "As it is now",
  onChange,
}: VersionSelectProps) {
  const { data } = useConsoleQuery(reads.agentVersions(agentId));
  const isListed = value === null || data?.data.some(({ number }) => number === value);
  return (
    <Field label="Version of the agent" hint={data?.has_more ? "The newest 50." : undefined}>
      {(control) => (
        <Select
          {...control}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value ? Number(event.target.value) : null)}
        >
          <option value="">{unpicked}</option>
          {!isListed && <option value={value}>{value}</option>}
          {data?.data.map(({ number, version, release_note }) => (
            <option key={number} value={number}>
              {`${number} · ${version}${release_note ? ` · ${release_note.slice(0, 60)}` : ""}`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/**
 * What an agent's version asks for; the agent as it is, where none is picked or that one is not
 * among the newest.
 */
export function useInputsOf(
  agentId: string | undefined,
  current: InputSchema | null,
  number: number | null,
): InputSchema | null {
  const isPicked = agentId !== undefined && number !== null;
  const { data: versions } = useConsoleQuery(reads.agentVersions(agentId ?? ""), {
    enabled: isPicked,
  });
  const id = versions?.data.find((version) => version.number === number)?.version_id;
  const { data: version } = useConsoleQuery(reads.agentVersion(agentId ?? "", id ?? ""), {
    enabled: isPicked && id !== undefined,
  });
  if (!isPicked || !version) return current;
  const { inputs } = version.config;
  return isJsonObject(inputs) ? inputs : null;
}
