import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { postgres } from "@/lib/platform/postgres";
import { processSingleton } from "@/lib/platform/process-singleton";
import { PrismaClient } from "@/lib/storage/generated/client";

/** The process's Prisma client, over the one pool of `postgres()`. */
export function prisma(): PrismaClient {
  return processSingleton("prisma", () => new PrismaClient({ adapter: new PrismaPg(postgres()) }));
}
