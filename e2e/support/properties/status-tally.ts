/** Counts answers by operation and status, for the test's output and its demands. */
export class StatusTally {
  private readonly counts = new Map<string, Map<number, number>>();
  private readonly allowed = new Map<string, { all: number; good: number }>();

  count(operationId: string, status: number, isValid: boolean): void {
    const row = this.counts.get(operationId) ?? new Map<number, number>();
    row.set(status, (row.get(status) ?? 0) + 1);
    this.counts.set(operationId, row);
    const { all, good } = this.allowed.get(operationId) ?? { all: 0, good: 0 };
    if (isValid) this.allowed.set(operationId, { all: all + 1, good: good + (status < 400 ? 1 : 0) });
  }

  get total(): number {
    return [...this.counts.values()].flatMap((row) => [...row.values()]).reduce((sum, count) => sum + count, 0);
  }

  of(operationId: string, status: number): number {
    return this.counts.get(operationId)?.get(status) ?? 0;
  }

  ofStatus(status: number): number {
    return [...this.counts.keys()].reduce((sum, id) => sum + this.of(id, status), 0);
  }

  succeeded(operationId: string): number {
    return [...(this.counts.get(operationId) ?? [])].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  }

  /** One line an operation: its statuses, and how many of the valid requests were taken. */
  toString(): string {
    const lines = [...this.counts].map(([id, row]) => {
      const statuses = [...row].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
      const { all, good } = this.allowed.get(id) ?? { all: 0, good: 0 };
      return `${id.padEnd(30)} ${statuses.join("  ")}   (${good} of ${all} valid ones taken)`;
    });
    return [...lines.sort(), `${this.total} requests`].join("\n");
  }
}
