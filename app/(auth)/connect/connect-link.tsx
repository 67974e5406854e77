"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi, messageOf } from "@/lib/console/api";

/** @param outcome of a sign-in that has ended; null: one is to begin */
export function Connect({ outcome }: { outcome: string | null }) {
  const link = useLink();
  if (outcome !== null) return <Outcome outcome={outcome} />;
  if (link === null) return <Skeleton className="h-40 rounded-lg" />;
  return <Link key={link} link={link} />;
}

/**
 * It stands in the fragment, which no server and no log of one is told. Null until the browser has
 * looked.
 */
function useLink(): string | null {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => new URLSearchParams(window.location.hash.slice(1)).get("link") ?? "",
    () => null,
  );
}

type Found = { host: string; account_name: string };
type State =
  | { step: "looking" }
  | { step: "asking" | "leaving"; found: Found; problem: string | null }
  | { step: "dead" }
  | { step: "failed"; problem: string };

const problemOf = (error: unknown) =>
  error instanceof Error ? messageOf(error) : "Try again in a moment.";

/** Says what a link leads to, and follows it only when somebody asks for it. */
function Link({ link }: { link: string }) {
  const [state, setState] = useState<State>({ step: "looking" });
  useEffect(() => {
    let isHere = true;
    consoleApi.post("/connections/link", { body: { link } }).then(
      ({ link: found }) => {
        if (isHere) setState(found ? { step: "asking", found, problem: null } : { step: "dead" });
      },
      (error: unknown) => {
        if (isHere) setState({ step: "failed", problem: problemOf(error) });
      },
    );
    return () => {
      isHere = false;
    };
  }, [link]);
  if (state.step === "looking") return <Skeleton className="h-40 rounded-lg" />;
  if (state.step === "dead") return <Outcome outcome="unknown" />;
  if (state.step === "failed")
    return (
      <Alert tone="danger" title="The link could not be looked at" alert>
        {state.problem}
      </Alert>
    );
  const { found, problem } = state;
  const follow = () => {
    setState({ step: "leaving", found, problem: null });
    consoleApi.post("/connections/open", { body: { link } }).then(
      ({ authorization_url }) => window.location.assign(authorization_url),
      (error: unknown) => setState({ step: "asking", found, problem: problemOf(error) }),
    );
  };
  return (
    <>
      <h1 className="text-balance break-words font-semibold text-2xl">
        Connect {found.host} to {found.account_name}
      </h1>
      <p className="mt-1 text-muted">
        You sign in at {found.host} as yourself. {found.account_name} may then use it for you, and
        for nobody else.
      </p>
      {problem !== null && (
        <Alert tone="danger" title="The sign-in did not begin" alert className="mt-4">
          {problem}
        </Alert>
      )}
      <Button
        variant="primary"
        size="large"
        loading={state.step === "leaving"}
        onClick={follow}
        className="mt-6"
      >
        Go on
      </Button>
      <p className="mt-4 text-faint text-xs">
        Go on only if you have just asked for this at {found.account_name}: with a link that
        somebody else has sent you, they could act as you.
      </p>
    </>
  );
}

/** What became of a sign-in, in words of ours alone: anybody may make a link to this page. */
function Outcome({ outcome }: { outcome: string }) {
  const [title, text] =
    outcome === "connected"
      ? ["You are connected", "You can close this page and go back to where you came from."]
      : outcome === "refused"
        ? [
            "You were not connected",
            "The server did not let you in, or you said no. Nothing has changed. To try " +
              "again, ask for another link where you got this one.",
          ]
        : [
            "This link is good no more",
            "It works once, for ten minutes, in the browser that opened it. Ask for another " +
              "one where you got it.",
          ];
  return (
    <>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p role="status" className="mt-1 text-muted">
        {text}
      </p>
    </>
  );
}
