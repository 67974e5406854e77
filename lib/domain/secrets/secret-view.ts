import "server-only";
import type { Secret } from "@/lib/storage/generated/client";

/** A secret as it is shown: everything but its value. */
export type SecretView = Pick<Secret, "name" | "description" | "allowedHosts" | "createdAt" | "updatedAt" | "lastUsedAt">;

/** The columns of a `SecretView`, so that the sealed value is not even read where it is not needed. */
export const SECRET_VIEW = {
  name: true,
  description: true,
  allowedHosts: true,
  createdAt: true,
  updatedAt: true,
  lastUsedAt: true,
} as const;
