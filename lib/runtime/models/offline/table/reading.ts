import "server-only";
import type { Mention } from "./find-mentions";
import type { TableProfile } from "./table-profile";
import type { MeasureOp } from "./table-query";

/** A word that asks for a figure, and its place. */
export interface Ask {
  op: MeasureOp;
  at: number;
}

/** A clause while it is read. */
export interface Reading {
  words: string[];
  lower: string[];
  table: TableProfile;
  mentions: Mention[];
  used: Set<number>;
}
