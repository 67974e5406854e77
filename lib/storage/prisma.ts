import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { postgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";
import { PrismaClient } from "@/lib/storage/generated/client";

/** The service's Prisma client, over the one pool of `postgres()`. */
export const prisma = definePart(
  "prisma",
  () => new PrismaClient({ adapter: new PrismaPg(postgres()) }),
  (client) => client.$disconnect(),
);
