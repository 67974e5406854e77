"use client";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { ConsoleError } from "@/lib/console/console-error";
import { queryKey } from "@/lib/console/query-key";

interface Options<Answer> {
  /** Paths whose cached answers are stale once this succeeded. */
  stale?: string[];
  /** A toast on success. */
  done?: string;
  onSuccess?: (answer: Answer) => void;
  onError?: (error: ConsoleError) => void;
  /** The caller shows the error itself; otherwise a toast does. */
  quiet?: boolean;
}

/** One change. What it made stale is read again, and its outcome is said in a toast. */
export function useConsoleMutation<Answer, Variables = void>(
  change: (variables: Variables) => Promise<Answer>,
  { stale = [], done, onSuccess, onError, quiet = false }: Options<Answer> = {},
): UseMutationResult<Answer, ConsoleError, Variables> {
  const client = useQueryClient();
  return useMutation<Answer, ConsoleError, Variables>({
    mutationFn: change,
    onSuccess: (answer) => {
      for (const path of stale) void client.invalidateQueries({ queryKey: queryKey(path) });
      if (done) toast.success(done);
      onSuccess?.(answer);
    },
    onError: (error) => {
      if (!quiet) toast.error(error.message);
      onError?.(error);
    },
  });
}
