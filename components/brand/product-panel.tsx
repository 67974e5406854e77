import { TurnedPart } from "@/components/brand/turned-part";

const STEPS = [
  {
    title: "Say what you need",
    text:
      "A sentence becomes an agent: instructions, inputs, tools and limits, all of it yours to " +
      "read and change.",
  },
  {
    title: "Run it from anywhere",
    text: "Start a run by API and poll it, stream it line by line, or have a webhook tell you.",
  },
  {
    title: "See all of it",
    text: "Each step, tool and credit of each run stands in one log that survives a restart.",
  },
];

/**
 * What the product is, beside the sign-in form of wide screens: a drawing of a part, and three
 * sentences.
 */
export function ProductPanel() {
  return (
    <aside
      aria-label="About Lathe"
      className="relative hidden overflow-hidden border-line border-l bg-surface lg:flex lg:flex-col"
    >
      <div
        aria-hidden="true"
        className="absolute inset-0 bg-[linear-gradient(var(--line)_1px,transparent_1px),linear-gradient(90deg,var(--line)_1px,transparent_1px)] bg-[size:32px_32px] opacity-60 [mask-image:linear-gradient(to_bottom,black,transparent_75%)]"
      />
      <div className="relative flex flex-1 flex-col justify-center px-12 xl:px-20">
        <Drawing />
        <h2 className="mt-14 max-w-md font-semibold text-3xl tracking-tight">
          Hosted agents, turned to your measure.
        </h2>
        <ol className="mt-8 grid max-w-md gap-5">
          {STEPS.map((step, index) => (
            <li key={step.title} className="grid grid-cols-[2rem_1fr]">
              <span aria-hidden="true" className="caption pt-0.5 text-accent">
                {String(index + 1).padStart(2, "0")}
              </span>
              <div>
                <p className="font-medium">{step.title}</p>
                <p className="mt-0.5 text-muted">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </aside>
  );
}

/** A turned part with the measures that a drawing gives it. */
function Drawing() {
  return (
    <div aria-hidden="true" className="relative w-full max-w-lg text-accent">
      <TurnedPart seed="lathe-7" drawn className="w-full" />
      <div className="mt-3 flex items-center gap-3 text-faint">
        <span className="h-2.5 w-px bg-current" />
        <span className="-ml-3 h-px flex-1 bg-current" />
        <span className="caption">input → result</span>
        <span className="-mr-3 h-px flex-1 bg-current" />
        <span className="h-2.5 w-px bg-current" />
      </div>
    </div>
  );
}
