/** Spend of the window that starts at `window_start`; every figure is in credits. */
export interface AccountUsage {
  credits: { available: number };
  used_24h: number;
  by_model: { model: string; credits: number; input_tokens: number; output_tokens: number }[];
  by_agent: { agent_id: string | null; agent_name: string | null; credits: number; runs: number }[];
  by_day: { day: string; credits: number; runs: number }[];
  window_start: string;
}
