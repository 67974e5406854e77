"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the page answers yet: false on the server and until its scripts have taken over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
