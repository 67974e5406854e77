import type { Block } from "@/lib/console/transcript/block";

export type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;
