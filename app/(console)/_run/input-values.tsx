import type { InputSchema } from "@/lib/console/inputs";

/** Named inputs, one under the other. */
export function InputValues({ input, className }: { input: InputSchema; className?: string }) {
  return (
    <dl className={className}>
      {Object.entries(input).map(([name, value]) => (
        <div key={name} className="grid gap-x-4 gap-y-0.5 py-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-faint [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
            <InputValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function InputValue({ value }: { value: unknown }) {
  if (typeof value === "string")
    return value === "" ? <span className="text-faint">empty</span> : value;
  return <code className="font-mono text-xs">{JSON.stringify(value, null, 2)}</code>;
}
