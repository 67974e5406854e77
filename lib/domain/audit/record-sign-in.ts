import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Actor } from "@/lib/domain/principal";
import { EMAIL_ADDRESS_MAX_CHARACTERS, isEmailAddress } from "@/lib/model/text/email-address";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export type SignInAct =
  | "sign_in.succeeded"
  | "sign_in.failed"
  | "sign_in.locked"
  | "session.signed_out";

/**
 * A closed sign-in is tried again and again by whoever tries passwords: it is told once in the time
 * that it is closed for.
 */
const LOCKED_ONCE_IN_MINUTES = 15;

/**
 * Writes a sign-in, one that was refused, or a sign-out into the audit log of whose it was; of an
 * address without an account, into nobody's. The same statements run either way, so that the time
 * it takes does not tell whether there is such an account.
 */
export async function recordSignIn(
  action: SignInAct,
  who: { email: string } | { userId: string },
  origin: Pick<Actor, "address" | "userAgent">,
  provider?: string,
): Promise<void> {
  const where =
    "userId" in who
      ? { id: who.userId }
      : {
          email: who.email
            .slice(0, EMAIL_ADDRESS_MAX_CHARACTERS + 1)
            .trim()
            .toLowerCase(),
        };
  const user = await prisma().user.findFirst({
    where,
    select: { id: true, email: true, accountId: true },
  });
  const isUser = action === "sign_in.succeeded" || action === "session.signed_out";
  const label = user?.email ?? ("email" in who ? typedAddress(who.email) : null);
  await recordAudit(postgres(), null, {
    action,
    accountId: user?.accountId ?? null,
    actor: {
      kind: isUser ? "user" : "anonymous",
      id: isUser ? (user?.id ?? null) : null,
      label,
      ...origin,
    },
    object: { kind: "user", id: user?.id, label },
    changes: { provider },
    onceInMinutes: action === "sign_in.locked" ? LOCKED_ONCE_IN_MINUTES : undefined,
  });
}

/** People type their password into the wrong field: what is no address is not kept. */
function typedAddress(text: string): string | null {
  const typed = text.trim();
  return isEmailAddress(typed) ? typed.toLowerCase() : null;
}
