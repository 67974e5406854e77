/** The sections of the guide, in the order in which they are read. */
export const GUIDE_SECTIONS = [
  {
    id: "authentication",
    title: "Authentication",
    text: "Keys, where they go, and what they open.",
  },
  { id: "errors", title: "Errors", text: "Every code, its status, and what to do." },
  {
    id: "limits",
    title: "Rate limits and retries",
    text: "What the headers say, and when to try again.",
  },
  { id: "idempotency", title: "Idempotency", text: "Start a run once, however often you ask." },
  { id: "pagination", title: "Pagination", text: "Lists, page by page." },
  { id: "streaming", title: "Streaming", text: "Events line by line, and going on after a break." },
  { id: "webhooks", title: "Webhooks", text: "Be told of a run's end, and prove who told you." },
  { id: "models", title: "Models", text: "What the field model may name." },
] as const;
