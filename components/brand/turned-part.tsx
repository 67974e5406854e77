import { turnedProfile } from "@/components/brand/turned-profile";

interface TurnedPartProps {
  seed: string;
  drawn?: boolean;
  /** Fills its box, whatever the box's shape. */
  stretched?: boolean;
  className?: string;
}

/** A turned part, different for each seed: an agent's face. `drawn` shows it as a drawing with its centre line, else it is solid. */
export function TurnedPart({ seed, drawn, stretched, className }: TurnedPartProps) {
  return (
    <svg viewBox="0 0 64 32" fill="none" aria-hidden="true" preserveAspectRatio={stretched ? "none" : undefined} className={className}>
      <path
        d={turnedProfile(seed)}
        fill={drawn ? "none" : "currentColor"}
        stroke={drawn ? "currentColor" : "none"}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {drawn && <path d="M-2 16H66" stroke="currentColor" strokeDasharray="8 2 1.5 2" vectorEffect="non-scaling-stroke" />}
    </svg>
  );
}
