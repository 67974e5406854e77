"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { ConsoleError } from "@/lib/console/console-error";
import { queryKey } from "@/lib/console/query-key";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Skill } from "@/lib/console/shapes/skill";
import { uploadForm } from "@/lib/console/upload-form";

/** A skill to install: a SKILL.md's text, or a zip. */
export type SkillSource = { kind: "text"; content: string } | { kind: "zip"; file: File };

export interface SkillInstall {
  source: SkillSource | null;
  /** The part that has left the browser, from 0 to 1; null when nothing is on its way. */
  share: number | null;
  problem: ConsoleError | null;
  /** The name is taken by one of the account's skills: it may be replaced. */
  taken: boolean;
  start: (source: SkillSource, replace?: boolean) => void;
  reset: () => void;
}

interface State {
  source: SkillSource | null;
  share: number | null;
  problem: ConsoleError | null;
}

const IDLE: State = { source: null, share: null, problem: null };

/** Installs one skill and leads to its page. What is still on its way when the page is left is broken off, and nothing of it stored. */
export function useInstallSkill(): SkillInstall {
  const [state, setState] = useState<State>(IDLE);
  const client = useQueryClient();
  const router = useRouter();
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = useCallback(
    (source: SkillSource, replace = false) => {
      controller.current?.abort();
      const abort = new AbortController();
      const { signal } = abort;
      controller.current = abort;
      setState({ source, share: 0, problem: null });
      const onProgress = (share: number) => !signal.aborted && setState({ source, share, problem: null });
      send(source, replace, signal, onProgress)
        .then((skill) => {
          void client.invalidateQueries({ queryKey: queryKey("v1/skills") });
          if (signal.aborted) return;
          toast.success(skill.version > 1 ? `${skill.name} is now at version ${skill.version}.` : `${skill.name} was installed.`);
          router.push(`/skills/${skill.skill_id}`);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) setState({ source, share: null, problem: toProblem(error) });
        });
    },
    [client, router],
  );
  const reset = useCallback(() => setState(IDLE), []);
  const taken = state.problem?.code === "CONFLICT" && state.problem.details.some(({ path }) => path === "replace");
  return { ...state, taken, start, reset };
}

function send(source: SkillSource, replace: boolean, signal: AbortSignal, onProgress: (share: number) => void): Promise<Skill> {
  const path = `v1/skills${replace ? "?replace=true" : ""}`;
  if (source.kind === "zip") return uploadForm<Skill>({ path, file: source.file, signal, onProgress });
  return requestConsoleJson<Skill>(path, { method: "POST", body: { content: source.content }, signal });
}

function toProblem(error: unknown): ConsoleError {
  return error instanceof ConsoleError ? error : new ConsoleError("INTERNAL_ERROR", "The skill could not be installed.", 0);
}
