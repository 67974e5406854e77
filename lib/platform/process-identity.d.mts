export interface ProcessIdentity {
  pid: number;
  /** The moment of its start as the system counts it; "" where that cannot be read. */
  born: string;
  place: { machine: string; boot: string; pids: string };
}
export function processIdentity(pid?: number): ProcessIdentity;
export function standing(identity: ProcessIdentity | undefined): "alive" | "dead" | "unknown";
