import { Notice } from "@/components/ui/notice";

/** Says plainly what the built-in model is, and how to have a better one. */
export function SwitchOnNotice() {
  return (
    <Notice tone="info" title="Only the built-in model is switched on" className="mb-5">
      It is rule-based: it works without a network and follows plain instructions, but it does not reason as a language model does. The
      operator switches one on by setting <code className="font-mono text-xs">OPENAI_API_KEY</code>,{" "}
      <code className="font-mono text-xs">ANTHROPIC_API_KEY</code>, <code className="font-mono text-xs">GOOGLE_GENERATIVE_AI_API_KEY</code>{" "}
      or, for any server that speaks OpenAI's protocol, <code className="font-mono text-xs">OPENAI_COMPATIBLE_BASE_URL</code> and{" "}
      <code className="font-mono text-xs">OPENAI_COMPATIBLE_MODELS</code>.
    </Notice>
  );
}
