"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import type { Skill } from "@/lib/client/schemas";
import { codeOf, consoleApi, detailsOf, uploadFile } from "@/lib/console/api";
import { queryKey } from "@/lib/console/reads";

/** A skill to install: a SKILL.md's text, or a zip. */
type SkillSource = { kind: "text"; content: string } | { kind: "zip"; file: File };

interface SkillInstall {
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

/**
 * Installs one skill and leads to its page. What is still on its way when the page is left is
 * broken off, and nothing of it stored.
 */
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
      const onProgress = (share: number) =>
        !signal.aborted && setState({ source, share, problem: null });
      send(source, replace, signal, onProgress)
        .then((skill) => {
          void client.invalidateQueries({ queryKey: queryKey("/v1/skills") });
          if (signal.aborted) return;
          toast.success(
            skill.version > 1
              ? `${skill.name} is now at version ${skill.version}.`
              : `${skill.name} was installed.`,
          );
          router.push(`/skills/${skill.skill_id}`);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) setState({ source, share: null, problem: toProblem(error) });
        });
    },
    [client, router],
  );
  const reset = useCallback(() => setState(IDLE), []);
  const taken =
    codeOf(state.problem) === "CONFLICT" &&
    detailsOf(state.problem).some(({ path }) => path === "replace");
  return { ...state, taken, start, reset };
}

function send(
  source: SkillSource,
  replace: boolean,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Skill> {
  const params = replace ? { query: { replace: true } } : {};
  if (source.kind === "zip")
    return uploadFile("/v1/skills", params, { file: source.file, signal, onProgress });
  return consoleApi.post("/v1/skills", { params, body: { content: source.content }, signal });
}

function toProblem(error: unknown): Error {
  return error instanceof Error ? error : new Error("The skill could not be installed.");
}

/** A place that takes a skill's zip from the pointer, and says how its installation goes. */
export function ZipDrop({ install, children }: { install: SkillInstall; children: ReactNode }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) install.start({ kind: "zip", file });
  };
  return (
    <section
      aria-label="Skills, and a place to drop a zip"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(
          event.relatedTarget instanceof Node ? event.relatedTarget : null,
        ) || setOver(false)
      }
      onDrop={drop}
      className={mergeClasses(
        "grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg",
        over && "outline-2 outline-accent outline-dashed outline-offset-2",
      )}
    >
      <ZipProgress install={install} />
      {children}
      <ReplaceSkillDialog install={install} />
    </section>
  );
}

/** Asks before an installed skill gets another text. */
function ReplaceSkillDialog({ install }: { install: SkillInstall }) {
  const { source, taken, problem, reset, start } = install;
  const name =
    detailsOf(problem).find(({ path }) => path === "replace")?.message ??
    "A skill of this name is installed already";
  return (
    <Dialog
      open={taken}
      onOpenChange={(open) => !open && reset()}
      title="Replace the installed skill?"
      description={
        <>
          {name}. Replacing makes this its next version; runs read the new text from then on.
          {source?.kind === "text" &&
            " Files beside its SKILL.md are removed, as a text has none: upload a zip to keep " +
              "them."}
        </>
      }
    >
      <DialogActions>
        <Button onClick={reset}>Keep the installed one</Button>
        <Button variant="primary" onClick={() => source && start(source, true)}>
          Replace it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A zip on its way, or why it was refused. */
function ZipProgress({ install }: { install: SkillInstall }) {
  const { source, share, problem, taken } = install;
  if (source?.kind !== "zip" || taken) return null;
  if (problem) {
    return (
      <Alert
        tone="danger"
        title={`${source.file.name} was not installed`}
        alert
        action={
          <Button size="small" onClick={install.reset}>
            Put away
          </Button>
        }
      >
        {problem.message}
      </Alert>
    );
  }
  if (share === null) return null;
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="mb-2 truncate">
        {share < 1 ? `Uploading ${source.file.name} …` : `Checking ${source.file.name} …`}
      </p>
      <Progress label={`Upload of ${source.file.name}`} share={share} />
    </div>
  );
}
