import { mergeClasses } from "@/components/merge-classes";

/** An agent's tile. */
export function AgentGlyph({ agentId, className }: { agentId: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={mergeClasses(
        "grid size-8 shrink-0 place-items-center rounded-md border border-line bg-sunken " +
          "text-accent",
        className,
      )}
    >
      <TurnedPart seed={agentId} stretched className="h-[72%] w-[78%]" />
    </span>
  );
}

interface TurnedPartProps {
  seed: string;
  drawn?: boolean;
  /** Fills its box, whatever the box's shape. */
  stretched?: boolean;
  className?: string;
}

/**
 * A turned part, different for each seed: an agent's face. `drawn` shows it as a drawing with its
 * centre line, else it is solid.
 */
export function TurnedPart({ seed, drawn, stretched, className }: TurnedPartProps) {
  return (
    <svg
      viewBox="0 0 64 32"
      fill="none"
      aria-hidden="true"
      preserveAspectRatio={stretched ? "none" : undefined}
      className={className}
    >
      <path
        d={turnedProfile(seed)}
        fill={drawn ? "none" : "currentColor"}
        stroke={drawn ? "currentColor" : "none"}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {drawn && (
        <path
          d="M-2 16H66"
          stroke="currentColor"
          strokeDasharray="8 2 1.5 2"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

/**
 * A part turned on a lathe, seen from the side: the outline mirrors about its axis. Coordinates are
 * in a 64 by 32 box.
 */
const LENGTH = 60;
const MARGIN = 2;
const AXIS = 16;

/**
 * One cut: from `x0` to `x1`, from radius `r0` to `r1`, bulging out to `bulge` in between when it
 * has one.
 */
interface Cut {
  x0: number;
  r0: number;
  x1: number;
  r1: number;
  bulge: number | null;
}

/**
 * The outline of the part that belongs to `seed`: the same for the same seed, in every browser and
 * on the server.
 */
export function turnedProfile(seed: string): string {
  const cuts = cutsOf(randomOf(seed));
  const upper = cuts.map(({ x0, x1, r1, bulge }) =>
    bulge === null ? to(x1, -r1) : curve((x0 + x1) / 2, -bulge, x1, -r1),
  );
  const lower = cuts
    .toReversed()
    .map(({ x0, x1, r0, bulge }) =>
      bulge === null ? to(x0, r0) : curve((x0 + x1) / 2, bulge, x0, r0),
    );
  const first = cuts[0];
  const last = cuts.at(-1);
  if (!first || !last) return "";
  return (
    `M${first.x0} ${round(AXIS - first.r0)} ${upper.join(" ")} ${to(last.x1, last.r1)} ` +
    `${lower.join(" ")} Z`
  );
}

function cutsOf(next: () => number): Cut[] {
  const widths = Array.from({ length: 4 + Math.floor(next() * 3) }, () => 0.6 + next());
  const total = widths.reduce((sum, width) => sum + width, 0);
  const cuts: Cut[] = [];
  let x0 = MARGIN;
  let r0 = 3 + next() * 4;
  for (const width of widths) {
    const x1 = x0 + (width / total) * LENGTH;
    const target = 3.5 + next() * 10;
    const shape = next();
    if (shape < 0.25) cuts.push({ x0, r0, x1, r1: target, bulge: null });
    else if (shape < 0.5) {
      const r1 = Math.min(r0, 9);
      cuts.push({ x0, r0: r1, x1, r1, bulge: target > r1 ? r1 + 8 : Math.max(1, r1 - 4) });
    } else cuts.push({ x0, r0: target, x1, r1: target, bulge: null });
    x0 = x1;
    r0 = cuts.at(-1)?.r1 ?? target;
  }
  return cuts.flatMap((cut, index) => {
    const before = cuts[index - 1];
    // A shoulder: the radius jumps between two cuts.
    return before && before.r1 !== cut.r0
      ? [{ x0: cut.x0, r0: before.r1, x1: cut.x0, r1: cut.r0, bulge: null }, cut]
      : [cut];
  });
}

function to(x: number, offset: number): string {
  return `L${round(x)} ${round(AXIS + offset)}`;
}

function curve(xMiddle: number, offsetMiddle: number, x: number, offset: number): string {
  return `Q${round(xMiddle)} ${round(AXIS + offsetMiddle)} ${round(x)} ${round(AXIS + offset)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** FNV-1a, then mulberry32: small, and the same everywhere. */
function randomOf(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1)
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
