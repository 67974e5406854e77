/** A key as the console lists it; the key itself is never among it. */
export interface ApiKey {
  key_id: string;
  name: string;
  kind: "account" | "app";
  agent_id: string | null;
  prefix: string;
  last_four: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** The one answer that carries the key. */
export interface CreatedApiKey extends ApiKey {
  api_key: string;
}
