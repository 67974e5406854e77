import Link from "next/link";
import type { ApiKeyKind } from "@/lib/console/reference/list-operations";

const WORDS: Record<ApiKeyKind, string> = {
  account: "Needs an account key, svc_sk_…",
  app: "Needs an app key, appapi_…, of this very agent.",
  none: "Needs no key.",
};

/** Whose key the operation takes, and where to read about it. */
export function KeyLine({ kind }: { kind: ApiKeyKind }) {
  return (
    <p className="mt-3 text-faint text-sm">
      {WORDS[kind]}{" "}
      {kind !== "none" && (
        <Link href="/reference/guide#authentication" className="text-accent underline underline-offset-4">
          Authentication
        </Link>
      )}
    </p>
  );
}
