"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import type { Skill } from "@/lib/client/schemas";
import { consoleApi, uploadFile } from "@/lib/console/api";
import { codeOf, detailsOf } from "@/lib/console/errors";
import { queryKey } from "@/lib/console/reads";

/** A skill to install: a SKILL.md's text, or a zip. */
export type SkillSource = { kind: "text"; content: string } | { kind: "zip"; file: File };

export interface SkillInstall {
  source: SkillSource | null;
  /** The part that has left the browser, from 0 to 1; null when nothing is on its way. */
  share: number | null;
  problem: Error | null;
  /** The name is taken by one of the account's skills: it may be replaced. */
  taken: boolean;
  start: (source: SkillSource, replace?: boolean) => void;
  reset: () => void;
}

interface State {
  source: SkillSource | null;
  share: number | null;
  problem: Error | null;
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
          void client.invalidateQueries({ queryKey: queryKey("/v1/skills") });
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
  const taken = codeOf(state.problem) === "CONFLICT" && detailsOf(state.problem).some(({ path }) => path === "replace");
  return { ...state, taken, start, reset };
}

function send(source: SkillSource, replace: boolean, signal: AbortSignal, onProgress: (share: number) => void): Promise<Skill> {
  const params = replace ? { query: { replace: true } } : {};
  if (source.kind === "zip") return uploadFile("/v1/skills", params, { file: source.file, signal, onProgress });
  return consoleApi.post("/v1/skills", { params, body: { content: source.content }, signal });
}

function toProblem(error: unknown): Error {
  return error instanceof Error ? error : new Error("The skill could not be installed.");
}
