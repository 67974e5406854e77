import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { once } from "@/lib/platform/once";
import { postgres } from "@/lib/platform/postgres";
import { PrismaClient } from "@/lib/storage/generated/client";

/** The process's Prisma client, over the one pool of `postgres()`. */
export function prisma(): PrismaClient {
  return once("prisma", () => new PrismaClient({ adapter: new PrismaPg(postgres()) }));
}
