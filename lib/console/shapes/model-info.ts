export interface ModelInfo {
  model: string;
  provider: string;
  name: string;
  description: string;
  available: boolean;
  default: boolean;
  capabilities: string[];
  context_window: number | null;
  /** Credits for one million tokens, or for one `unit`. */
  price: { input: number; output: number; unit: string };
}

export interface ModelList {
  data: ModelInfo[];
  default_model: string;
}
