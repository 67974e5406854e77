/** A secret without its value, which no answer carries (contract §7). */
export interface Secret {
  name: string;
  description: string | null;
  allowed_hosts: string[];
  created_at: string;
  updated_at: string;
  last_used_at: string | null;
}

/** An agent whose connectors name a secret. */
export interface SecretUse {
  secret_name: string;
  agent_id: string;
  agent_name: string;
  /** Where its connectors with that secret lead. */
  hosts: string[];
}
