import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput } from "@/lib/model/errors";
import { hashPassword, verifyPassword } from "@/lib/platform/crypto/password";
import { prisma } from "@/lib/storage/prisma";

/** Changes the signed-in user's password and ends all of the user's sessions. @throws ServiceError INVALID_INPUT when the current one is wrong */
export async function changePassword(principal: Principal, current: string, next: string): Promise<void> {
  const user = await prisma().user.findUnique({ where: { id: principal.userId ?? "" } });
  if (!user || !(await verifyPassword(user.passwordHash, current))) throw invalidInput("current_password", "is not your password");
  await prisma().user.update({
    where: { id: user.id },
    data: { passwordHash: await hashPassword(next), sessionVersion: { increment: 1 } },
  });
}
