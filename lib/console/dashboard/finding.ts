/** What a widget has to show, or why it has nothing: every outcome is shown in the widget's own box. */
export type Finding<T> = { state: "there"; value: T } | { state: "loading" } | { state: "missing" | "unfit"; why: string };

/** Goes on with a value that is there; everything else stays what it is. */
export function andThen<T, Next>(finding: Finding<T>, next: (value: T) => Finding<Next>): Finding<Next> {
  return finding.state === "there" ? next(finding.value) : finding;
}
