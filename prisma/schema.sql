-- The database as the migrations leave it, in the order of names. Written by
-- `npm run db:schema` from the catalogue, compared by lib/storage/sql-source.db.test.ts; nothing
-- executes it. Functions stand whole in prisma/functions.


CREATE TYPE call_charge AS (
  run uuid,
  account uuid,
  max bigint,
  root uuid,
  agent uuid,
  step_key text,
  model text,
  capability text,
  input_tokens integer,
  output_tokens integer,
  cached_input_tokens integer,
  units integer,
  price bigint,
  keep bigint,
  ledger_id uuid
);

CREATE TYPE engine_cancel AS (
  run uuid,
  step_id text,
  event text,
  match_value text,
  conditions text
);

CREATE TYPE engine_result AS (
  run uuid,
  attempt integer,
  owner integer,
  step_id text,
  step_name text,
  step_data text
);

CREATE TYPE engine_start AS (
  id uuid,
  function_id text,
  lane text,
  key text,
  second_key text
);

CREATE TYPE function_limit AS (
  function_id text,
  first integer,
  second integer
);

CREATE TYPE log_batch AS (
  run uuid,
  writer integer,
  first integer,
  last integer,
  closes boolean,
  message uuid,
  is_whole boolean,
  todo jsonb,
  lines text
);

CREATE TYPE model_turn AS (
  run uuid,
  turn integer,
  message_id uuid,
  model text,
  content jsonb,
  finish_reason text,
  agent_version_id uuid,
  took_ms double precision,
  first_token_ms integer,
  reasoning_tokens integer,
  request_id text,
  told jsonb,
  counted_tokens integer
);

CREATE TYPE run_prompt_part AS (
  turn integer,
  hash text,
  system text,
  tools text,
  agent_version integer
);

CREATE TYPE span_part AS (
  id uuid,
  turn integer,
  kind text,
  name text,
  status text,
  ago_ms double precision,
  took_ms double precision,
  attributes jsonb,
  output jsonb,
  error jsonb
);

CREATE TABLE account_events (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  data jsonb NOT NULL,
  id uuid NOT NULL,
  sequence bigint,
  type text NOT NULL,
  CONSTRAINT account_events_pkey PRIMARY KEY (id)
);

CREATE TABLE accounts (
  available_micros bigint NOT NULL DEFAULT 0,
  blocked boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  credits_awaited_micros bigint,
  credits_low_at timestamp(3) with time zone,
  deleting_at timestamp(3) with time zone,
  files_bytes bigint NOT NULL DEFAULT 0,
  id uuid NOT NULL,
  last_event_sequence bigint NOT NULL DEFAULT 0,
  name text NOT NULL,
  pending_credits_micros bigint NOT NULL DEFAULT 0,
  read_per_minute integer,
  row_caps jsonb NOT NULL DEFAULT '{}'::jsonb,
  runs_at_work integer,
  runs_per_minute integer,
  super_agent_access boolean NOT NULL DEFAULT false,
  vouched boolean NOT NULL DEFAULT true,
  write_per_hour integer,
  CONSTRAINT accounts_available_not_negative CHECK ((available_micros >= 0)),
  CONSTRAINT accounts_files_not_negative CHECK ((files_bytes >= 0)),
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_memories (
  account_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_user text NOT NULL DEFAULT ''::text,
  id uuid NOT NULL,
  made_by_call text NOT NULL,
  made_by_run uuid NOT NULL,
  text text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT agent_memories_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_versions (
  agent_id uuid NOT NULL,
  config jsonb NOT NULL,
  config_content text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dashboard_template jsonb,
  description text,
  id uuid NOT NULL,
  key_order jsonb,
  name text NOT NULL,
  number integer NOT NULL,
  release_note text,
  run_id uuid,
  skill_content text NOT NULL,
  source text NOT NULL,
  version text NOT NULL,
  write_autonomy text NOT NULL,
  CONSTRAINT agent_versions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT agent_versions_pkey PRIMARY KEY (id)
);

CREATE TABLE agents (
  account_id uuid NOT NULL,
  config jsonb NOT NULL,
  config_content text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by_run_id uuid,
  current_version_id uuid NOT NULL,
  dashboard_template jsonb,
  description text,
  id uuid NOT NULL,
  key_order jsonb,
  name text NOT NULL,
  skill_content text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  updated_at timestamp(3) with time zone NOT NULL,
  version text NOT NULL,
  write_autonomy text NOT NULL,
  CONSTRAINT agents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT agents_pkey PRIMARY KEY (id)
);

CREATE TABLE api_keys (
  account_id uuid NOT NULL,
  agent_id uuid,
  agent_version integer,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone,
  hash bytea NOT NULL,
  id uuid NOT NULL,
  last_four text NOT NULL,
  last_used_at timestamp(3) with time zone,
  name text NOT NULL,
  prefix text NOT NULL,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE approvals (
  account_id uuid NOT NULL,
  agent_id uuid,
  arguments jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  decided_at timestamp(3) with time zone,
  decision_shown boolean NOT NULL DEFAULT false,
  definition_digest text,
  digest text,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL DEFAULT 'tool_call'::text,
  message text,
  reason text,
  replaces uuid,
  run_id uuid NOT NULL,
  shown jsonb,
  status text NOT NULL,
  summary text NOT NULL,
  tool_call_id text,
  tool_name text NOT NULL,
  CONSTRAINT approvals_pkey PRIMARY KEY (id)
);

CREATE TABLE artifacts (
  account_id uuid NOT NULL,
  content_type text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  name text NOT NULL,
  run_id uuid NOT NULL,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  step_key text NOT NULL,
  storage_key text NOT NULL,
  title text NOT NULL,
  CONSTRAINT artifacts_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_events (
  account_id uuid,
  action text NOT NULL,
  actor_id uuid,
  actor_kind text NOT NULL,
  actor_label text,
  address text,
  changes jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  object_id uuid,
  object_kind text,
  object_label text,
  user_agent text,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);

CREATE TABLE budget_waits (
  account_id uuid NOT NULL,
  agent_max_micros bigint,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  decided_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  least_micros bigint NOT NULL,
  of_wait uuid,
  root_run_id uuid,
  run_id uuid NOT NULL,
  shown boolean NOT NULL DEFAULT false,
  status text NOT NULL,
  tool_call_id text,
  turn integer NOT NULL,
  CONSTRAINT budget_waits_pkey PRIMARY KEY (id)
);

CREATE TABLE client_tool_calls (
  account_id uuid NOT NULL,
  answered_at timestamp(3) with time zone,
  arguments jsonb NOT NULL,
  batch_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  is_question boolean NOT NULL DEFAULT false,
  output jsonb,
  run_id uuid NOT NULL,
  status text NOT NULL,
  succeeded boolean,
  tool_call_id text NOT NULL,
  tool_name text NOT NULL,
  turn integer NOT NULL,
  CONSTRAINT client_tool_calls_pkey PRIMARY KEY (run_id, tool_call_id)
);

CREATE TABLE conversation_summaries (
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  run_id uuid NOT NULL,
  summary text NOT NULL,
  through_position bigint NOT NULL,
  CONSTRAINT conversation_summaries_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT conversation_summaries_pkey PRIMARY KEY (conversation_id)
);

CREATE TABLE conversations (
  account_id uuid NOT NULL,
  active_run_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_user text,
  family text NOT NULL,
  id uuid NOT NULL,
  seen_private boolean NOT NULL DEFAULT false,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT conversations_pkey PRIMARY KEY (id)
);

CREATE TABLE credit_holds (
  account_id uuid NOT NULL,
  amount_micros bigint NOT NULL,
  run_id uuid NOT NULL,
  CONSTRAINT credit_holds_not_negative CHECK ((amount_micros >= 0)),
  CONSTRAINT credit_holds_pkey PRIMARY KEY (run_id)
);

CREATE TABLE dataset_items (
  answers jsonb NOT NULL DEFAULT '{}'::jsonb,
  checks jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dataset_id uuid NOT NULL,
  files jsonb NOT NULL DEFAULT '{}'::jsonb,
  id uuid NOT NULL,
  input jsonb NOT NULL,
  name text NOT NULL,
  source text NOT NULL,
  CONSTRAINT dataset_items_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES datasets(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT dataset_items_pkey PRIMARY KEY (id)
);

CREATE TABLE datasets (
  account_id uuid NOT NULL,
  agent_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  name text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT datasets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT datasets_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT datasets_pkey PRIMARY KEY (id)
);

CREATE TABLE end_users (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_user text NOT NULL,
  erased jsonb NOT NULL DEFAULT '{}'::jsonb,
  erasing_at timestamp(3) with time zone,
  id uuid NOT NULL,
  last_seen_at timestamp(3) with time zone,
  max_credits_per_day_micros bigint,
  CONSTRAINT end_users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT end_users_pkey PRIMARY KEY (id)
);

CREATE TABLE engine_deaths (
  found_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  froze boolean NOT NULL,
  held json NOT NULL,
  id bigint NOT NULL DEFAULT nextval('engine_deaths_id_seq'::regclass),
  process integer NOT NULL,
  CONSTRAINT engine_deaths_pkey PRIMARY KEY (id)
);

CREATE TABLE engine_events (
  data text NOT NULL,
  function_id text,
  id text NOT NULL,
  match_values text[],
  name text NOT NULL,
  received_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  routed_at timestamp(3) with time zone,
  CONSTRAINT engine_events_pkey PRIMARY KEY (id)
);

CREATE TABLE engine_lanes (
  clock bigint NOT NULL DEFAULT 0,
  lane text NOT NULL,
  CONSTRAINT engine_lanes_pkey PRIMARY KEY (lane)
);

CREATE TABLE engine_limits (
  key text NOT NULL,
  most integer NOT NULL,
  CONSTRAINT engine_limits_pkey PRIMARY KEY (key)
);

CREATE TABLE engine_processes (
  id integer NOT NULL DEFAULT nextval('engine_processes_id_seq'::regclass),
  identity text,
  seen_at timestamp(3) with time zone,
  started_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  steady_since timestamp(3) with time zone,
  CONSTRAINT engine_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE engine_runs (
  attempt integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  event_id text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  function_id text NOT NULL,
  id uuid NOT NULL,
  key text,
  lane text,
  output text,
  owner integer,
  queued boolean NOT NULL DEFAULT false,
  second_key text,
  since timestamp(6) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  status text NOT NULL DEFAULT 'active'::text,
  suspicions integer NOT NULL DEFAULT 0,
  takeover_steps integer NOT NULL DEFAULT 0,
  takeovers integer NOT NULL DEFAULT 0,
  trial_passed boolean NOT NULL DEFAULT false,
  tried_at timestamp(3) with time zone,
  tried_attempt integer,
  turn bigint NOT NULL DEFAULT 0,
  wakes integer NOT NULL DEFAULT 0,
  CONSTRAINT engine_runs_pkey PRIMARY KEY (id)
);

CREATE TABLE engine_steps (
  attempt integer NOT NULL DEFAULT 0,
  data text,
  done boolean NOT NULL DEFAULT false,
  due_at timestamp(3) with time zone,
  error text,
  id text NOT NULL,
  name text NOT NULL,
  op text NOT NULL,
  "position" bigint NOT NULL DEFAULT nextval('engine_steps_position_seq'::regclass),
  run_id uuid NOT NULL,
  CONSTRAINT engine_steps_pkey PRIMARY KEY (run_id, id)
);

CREATE TABLE engine_waits (
  conditions text NOT NULL,
  due_at timestamp(3) with time zone,
  event text NOT NULL,
  kind text NOT NULL,
  match_value text,
  run_id uuid NOT NULL,
  step_id text NOT NULL,
  CONSTRAINT engine_waits_pkey PRIMARY KEY (run_id, step_id)
);

CREATE TABLE erased_files (
  account_id uuid NOT NULL,
  end_user_id uuid NOT NULL,
  storage_key text NOT NULL,
  CONSTRAINT erased_files_pkey PRIMARY KEY (storage_key)
);

CREATE TABLE erasure_receipts (
  account_id uuid NOT NULL,
  completed_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted jsonb NOT NULL,
  hash bytea NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT erasure_receipts_pkey PRIMARY KEY (account_id, hash)
);

CREATE TABLE file_indexes (
  account_id uuid NOT NULL,
  file_id uuid NOT NULL,
  problem text,
  storage_key text NOT NULL,
  CONSTRAINT file_indexes_file_id_fkey FOREIGN KEY (file_id) REFERENCES workspace_files(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT file_indexes_pkey PRIMARY KEY (file_id)
);

CREATE TABLE file_texts (
  account_id uuid NOT NULL,
  file_id uuid NOT NULL,
  first_line integer,
  "position" integer NOT NULL,
  reference text NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT file_texts_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_indexes(file_id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT file_texts_pkey PRIMARY KEY (file_id, "position")
);

CREATE TABLE hour_buckets (
  count integer NOT NULL,
  key text NOT NULL,
  window_started_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT hour_buckets_pkey PRIMARY KEY (key)
);

CREATE TABLE idempotency_keys (
  accepted_run uuid,
  account_id uuid NOT NULL,
  body text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  key text NOT NULL,
  request_hash text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, route, key)
);

CREATE TABLE invitations (
  accepted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  hash bytea NOT NULL,
  id uuid NOT NULL,
  invited_by_user_id uuid,
  mailed_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT invitations_pkey PRIMARY KEY (id)
);

CREATE TABLE ledger_entries (
  account_id uuid NOT NULL,
  amount_micros bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  kind text NOT NULL,
  note text,
  run_id uuid,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (id)
);

CREATE TABLE mcp_connections (
  account_id uuid NOT NULL,
  client_id text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_user text,
  expires_at timestamp(3) with time zone,
  id uuid NOT NULL,
  issuer text,
  last_error text,
  refresh_lease uuid,
  refresh_until timestamp(3) with time zone,
  scopes text[],
  sealed text NOT NULL,
  server_url text NOT NULL,
  sign_in_hash bytea,
  sign_in_session uuid,
  sign_in_until timestamp(3) with time zone,
  signed_in_at timestamp(3) with time zone,
  status text NOT NULL DEFAULT 'pending'::text,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT mcp_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT mcp_connections_pkey PRIMARY KEY (id),
  CONSTRAINT mcp_connections_status CHECK ((status = ANY (ARRAY['pending'::text, 'connected'::text, 'needs_sign_in'::text])))
);

CREATE TABLE mcp_listings (
  account_id uuid NOT NULL,
  definitions text NOT NULL,
  fresh_until timestamp(3) with time zone NOT NULL,
  listed_at timestamp(6) with time zone NOT NULL,
  listing_key bytea NOT NULL,
  CONSTRAINT mcp_listings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT mcp_listings_pkey PRIMARY KEY (account_id, listing_key)
);

CREATE TABLE mcp_revisions (
  account_id uuid NOT NULL,
  is_bare boolean NOT NULL,
  server_key bytea NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  version text NOT NULL,
  CONSTRAINT mcp_revisions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT mcp_revisions_pkey PRIMARY KEY (account_id, server_key)
);

CREATE TABLE messages (
  conversation_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  "position" bigint NOT NULL DEFAULT nextval('messages_position_seq'::regclass),
  role text NOT NULL,
  run_id uuid NOT NULL,
  text text NOT NULL,
  CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT messages_pkey PRIMARY KEY (id)
);

CREATE TABLE minute_buckets (
  count integer NOT NULL,
  key text NOT NULL,
  window_started_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT minute_buckets_pkey PRIMARY KEY (key)
);

CREATE TABLE notifications (
  account_id uuid NOT NULL,
  body text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  emailed_at timestamp(3) with time zone,
  id uuid NOT NULL,
  key text,
  mail_claimed_at timestamp(3) with time zone,
  path text,
  read_at timestamp(3) with time zone,
  run_id uuid,
  title text NOT NULL,
  CONSTRAINT notifications_pkey PRIMARY KEY (id)
);

CREATE TABLE oauth_identities (
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  provider text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT oauth_identities_pkey PRIMARY KEY (provider, subject),
  CONSTRAINT oauth_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE operator_losses (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  input_tokens integer NOT NULL,
  model text NOT NULL,
  output_tokens integer NOT NULL,
  price_micros bigint NOT NULL,
  reason text NOT NULL,
  run_id uuid NOT NULL,
  CONSTRAINT operator_losses_pkey PRIMARY KEY (id)
);

CREATE TABLE passkey_challenges (
  challenge text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  user_id uuid,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (id)
);

CREATE TABLE passkeys (
  account_id uuid NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  credential_id text NOT NULL,
  id uuid NOT NULL,
  last_used_at timestamp(3) with time zone,
  name text NOT NULL,
  public_key bytea NOT NULL,
  transports text[],
  user_id uuid NOT NULL,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE pending_sign_ups (
  address text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  invitation_id uuid,
  name text,
  password_hash text NOT NULL,
  user_agent text,
  CONSTRAINT pending_sign_ups_pkey PRIMARY KEY (id)
);

CREATE TABLE product_profiles (
  account_id uuid NOT NULL,
  profile jsonb NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT product_profiles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT product_profiles_pkey PRIMARY KEY (account_id)
);

CREATE TABLE prompts (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  hash text NOT NULL,
  id uuid NOT NULL,
  system text NOT NULL,
  tools text NOT NULL,
  CONSTRAINT prompts_pkey PRIMARY KEY (id)
);

CREATE TABLE queued_runs (
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  place integer NOT NULL,
  run_id uuid NOT NULL,
  CONSTRAINT queued_runs_pkey PRIMARY KEY (run_id)
);

CREATE TABLE recovery_codes (
  account_id uuid NOT NULL,
  hash bytea NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE remembered_approvals (
  account_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  digest text NOT NULL,
  id uuid NOT NULL,
  shown jsonb NOT NULL,
  tool_name text NOT NULL,
  CONSTRAINT remembered_approvals_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT remembered_approvals_pkey PRIMARY KEY (id)
);

CREATE TABLE row_counts (
  account_id uuid NOT NULL,
  count integer NOT NULL,
  name text NOT NULL,
  CONSTRAINT row_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT row_counts_pkey PRIMARY KEY (account_id, name)
);

CREATE TABLE run_events (
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  first_sequence integer NOT NULL,
  last_sequence integer NOT NULL,
  lines text NOT NULL,
  run_id uuid NOT NULL,
  CONSTRAINT run_events_pkey PRIMARY KEY (run_id, first_sequence)
);

CREATE TABLE run_files (
  account_id uuid NOT NULL,
  content_type text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  path text NOT NULL,
  run_id uuid NOT NULL,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  step_key text NOT NULL,
  storage_key text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT run_files_pkey PRIMARY KEY (id)
);

CREATE TABLE run_logs (
  closed_at timestamp(3) with time zone,
  next_sequence integer NOT NULL DEFAULT 0,
  open_message_id uuid,
  owner integer,
  run_id uuid NOT NULL,
  todo jsonb,
  writer integer NOT NULL DEFAULT 0,
  CONSTRAINT run_logs_pkey PRIMARY KEY (run_id)
);

CREATE TABLE run_messages (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due text NOT NULL,
  id uuid NOT NULL,
  input jsonb NOT NULL,
  next_run_id uuid,
  "position" integer NOT NULL,
  run_id uuid NOT NULL,
  tool_call_id text,
  turn integer,
  CONSTRAINT run_messages_pkey PRIMARY KEY (id)
);

CREATE TABLE run_prompts (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  hash text NOT NULL,
  run_id uuid NOT NULL,
  turn integer NOT NULL,
  CONSTRAINT run_prompts_pkey PRIMARY KEY (run_id, turn)
);

CREATE TABLE run_spans (
  attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
  ended_at timestamp(3) with time zone NOT NULL,
  error jsonb,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  output jsonb,
  run_id uuid NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  status text NOT NULL,
  turn integer NOT NULL,
  CONSTRAINT run_spans_pkey PRIMARY KEY (run_id, id)
);

CREATE TABLE run_tool_results (
  action jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  name text NOT NULL,
  output jsonb NOT NULL,
  run_id uuid NOT NULL,
  started_at timestamp(3) with time zone,
  succeeded boolean NOT NULL,
  tool_call_id text NOT NULL,
  turn integer NOT NULL,
  CONSTRAINT run_tool_results_pkey PRIMARY KEY (run_id, tool_call_id)
);

CREATE TABLE run_turns (
  agent_version_id uuid,
  content jsonb NOT NULL,
  counted_tokens integer,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finish_reason text NOT NULL,
  first_token_ms integer,
  message_id uuid NOT NULL,
  model text NOT NULL,
  reasoning_tokens integer,
  request_id text,
  run_id uuid NOT NULL,
  started_at timestamp(3) with time zone,
  told jsonb,
  turn integer NOT NULL,
  CONSTRAINT run_turns_pkey PRIMARY KEY (run_id, turn)
);

CREATE TABLE run_usage (
  account_id uuid NOT NULL,
  agent_id uuid,
  cached_input_tokens integer NOT NULL,
  capability text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  credits_micros bigint NOT NULL,
  end_user text,
  input_tokens integer NOT NULL,
  key_id uuid,
  model text NOT NULL,
  output_tokens integer NOT NULL,
  price_micros bigint,
  run_id uuid NOT NULL,
  step_key text NOT NULL,
  units integer NOT NULL,
  CONSTRAINT run_usage_pkey PRIMARY KEY (run_id, step_key)
);

CREATE TABLE runs (
  account_id uuid NOT NULL,
  agent_id uuid,
  agent_version integer,
  completed_at timestamp(3) with time zone,
  conversation_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_user text,
  error jsonb,
  history_of uuid,
  id uuid NOT NULL,
  input jsonb NOT NULL,
  key_id uuid,
  kind text NOT NULL,
  max_credits_micros bigint,
  max_is_raised boolean NOT NULL DEFAULT false,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  model text NOT NULL,
  on_budget text,
  origin text NOT NULL DEFAULT 'key'::text,
  parent_call_id text,
  parent_run_id uuid,
  queued_ms integer NOT NULL DEFAULT 0,
  release_note text,
  replayed_from uuid,
  requires_action jsonb,
  result jsonb,
  schedule_id uuid,
  should_notify boolean NOT NULL DEFAULT false,
  started_at timestamp(3) with time zone,
  status text NOT NULL,
  trace_parent text,
  version_is_named boolean NOT NULL DEFAULT false,
  webhook_delivered_at timestamp(3) with time zone,
  webhook_url text,
  workspace_id uuid,
  CONSTRAINT runs_pkey PRIMARY KEY (id)
);

CREATE TABLE schedule_firings (
  account_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  fired_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  outcome text NOT NULL,
  refusal jsonb,
  run_id uuid,
  schedule_id uuid NOT NULL,
  trigger text NOT NULL,
  CONSTRAINT schedule_firings_pkey PRIMARY KEY (id),
  CONSTRAINT schedule_firings_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE schedules (
  account_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  cron text NOT NULL,
  enabled boolean NOT NULL,
  end_user text,
  failures integer NOT NULL DEFAULT 0,
  id uuid NOT NULL,
  input jsonb NOT NULL,
  last_error jsonb,
  last_failure jsonb,
  last_run_at timestamp(3) with time zone,
  max_credits double precision,
  next_run_at timestamp(3) with time zone,
  on_budget text,
  paused_at timestamp(3) with time zone,
  paused_reason text,
  timezone text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  version jsonb,
  webhook_url text,
  CONSTRAINT schedules_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT schedules_pkey PRIMARY KEY (id)
);

CREATE TABLE secrets (
  account_id uuid NOT NULL,
  allowed_hosts text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  description text,
  end_user text,
  id uuid NOT NULL,
  last_used_at timestamp(3) with time zone,
  name text NOT NULL,
  sealed text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT secrets_pkey PRIMARY KEY (id)
);

CREATE TABLE service_identity (
  draining_since timestamp(3) with time zone,
  file_store text NOT NULL,
  id integer NOT NULL DEFAULT 1,
  key_fingerprint text NOT NULL,
  key_id text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT service_identity_is_one CHECK ((id = 1)),
  CONSTRAINT service_identity_pkey PRIMARY KEY (id)
);

CREATE TABLE sign_up_links (
  hash bytea NOT NULL,
  sign_up_id uuid NOT NULL,
  CONSTRAINT sign_up_links_pkey PRIMARY KEY (hash),
  CONSTRAINT sign_up_links_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES pending_sign_ups(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE skill_files (
  bytes bytea NOT NULL,
  path text NOT NULL,
  skill_id uuid NOT NULL,
  CONSTRAINT skill_files_pkey PRIMARY KEY (skill_id, path),
  CONSTRAINT skill_files_skill_id_fkey FOREIGN KEY (skill_id) REFERENCES skills(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE skills (
  account_id uuid NOT NULL,
  content text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  description text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  id uuid NOT NULL,
  name text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT skills_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT skills_pkey PRIMARY KEY (id)
);

CREATE TABLE totp_factors (
  account_id uuid NOT NULL,
  confirmed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  sealed text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT totp_factors_pkey PRIMARY KEY (id),
  CONSTRAINT totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE uploads (
  account_id uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  reserved_bytes bigint NOT NULL,
  CONSTRAINT uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT uploads_pkey PRIMARY KEY (id)
);

CREATE TABLE usage_days (
  account_id uuid NOT NULL,
  credits_micros bigint NOT NULL,
  day date NOT NULL,
  runs integer NOT NULL,
  CONSTRAINT usage_days_pkey PRIMARY KEY (account_id, day)
);

CREATE TABLE usage_hours (
  account_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  credits_micros bigint NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  input_tokens bigint NOT NULL,
  model text NOT NULL,
  output_tokens bigint NOT NULL,
  runs integer NOT NULL,
  CONSTRAINT usage_hours_pkey PRIMARY KEY (account_id, hour, model, agent_id)
);

CREATE TABLE usage_rollups (
  id integer NOT NULL DEFAULT 1,
  until timestamp(3) with time zone NOT NULL,
  CONSTRAINT usage_rollups_pkey PRIMARY KEY (id)
);

CREATE TABLE user_sessions (
  account_id uuid NOT NULL,
  address text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  user_agent text NOT NULL,
  user_id uuid NOT NULL,
  version integer NOT NULL,
  CONSTRAINT user_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE user_tokens (
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  hash bytea NOT NULL,
  id uuid NOT NULL,
  purpose text NOT NULL,
  used_at timestamp(3) with time zone,
  user_id uuid NOT NULL,
  CONSTRAINT user_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE users (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email text NOT NULL,
  email_verified_at timestamp(3) with time zone,
  event_mails boolean NOT NULL DEFAULT true,
  id uuid NOT NULL,
  is_admin boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  password_hash text,
  password_unproven boolean NOT NULL DEFAULT false,
  session_version integer NOT NULL DEFAULT 0,
  CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE vendor_models (
  models jsonb NOT NULL,
  read_at timestamp(3) with time zone NOT NULL,
  vendor text NOT NULL,
  CONSTRAINT vendor_models_pkey PRIMARY KEY (vendor)
);

CREATE TABLE webhook_attempts (
  at timestamp(3) with time zone NOT NULL,
  attempt integer NOT NULL,
  delivery_id uuid NOT NULL,
  duration_ms integer NOT NULL,
  error text,
  response_body text,
  status_code integer,
  CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
);

CREATE TABLE webhook_deliveries (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  endpoint_id uuid,
  event_id uuid,
  event_type text,
  id uuid NOT NULL,
  payload text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  round integer NOT NULL DEFAULT 0,
  run_id uuid,
  status text NOT NULL,
  url text NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
);

CREATE TABLE webhook_endpoints (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  description text,
  disabled_at timestamp(3) with time zone,
  enabled boolean NOT NULL,
  events text[],
  failing_since timestamp(3) with time zone,
  id uuid NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  url text NOT NULL,
  CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);

CREATE TABLE webhook_secrets (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  endpoint_id uuid,
  expires_at timestamp(3) with time zone,
  id uuid NOT NULL,
  sealed text NOT NULL,
  CONSTRAINT webhook_secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id)
);

CREATE TABLE workspace_agents (
  agent_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  workspace_id uuid NOT NULL,
  CONSTRAINT workspace_agents_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT workspace_agents_pkey PRIMARY KEY (workspace_id, agent_id),
  CONSTRAINT workspace_agents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE workspace_files (
  account_id uuid NOT NULL,
  content_type text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL,
  path text NOT NULL,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  step_key text,
  storage_key text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  workspace_id uuid NOT NULL,
  CONSTRAINT workspace_files_pkey PRIMARY KEY (id),
  CONSTRAINT workspace_files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE workspaces (
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  description text,
  id uuid NOT NULL,
  name text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT workspaces_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX account_events_account_id_sequence_key ON public.account_events USING btree (account_id, sequence);

CREATE INDEX account_events_unnumbered_idx ON public.account_events USING btree (account_id, id) WHERE (sequence IS NULL);

CREATE INDEX agent_memories_account_id_end_user_id_idx ON public.agent_memories USING btree (account_id, end_user, id) WHERE (end_user <> ''::text);

CREATE INDEX agent_memories_account_id_idx ON public.agent_memories USING btree (account_id);

CREATE INDEX agent_memories_agent_id_end_user_id_idx ON public.agent_memories USING btree (agent_id, end_user, id);

CREATE UNIQUE INDEX agent_memories_made_by_run_made_by_call_key ON public.agent_memories USING btree (made_by_run, made_by_call);

CREATE UNIQUE INDEX agent_versions_agent_id_number_key ON public.agent_versions USING btree (agent_id, number);

CREATE UNIQUE INDEX agent_versions_run_id_key ON public.agent_versions USING btree (run_id);

CREATE INDEX agents_account_id_status_id_idx ON public.agents USING btree (account_id, status, id);

CREATE UNIQUE INDEX agents_created_by_run_id_key ON public.agents USING btree (created_by_run_id);

CREATE INDEX api_keys_account_id_agent_id_revoked_at_expires_at_idx ON public.api_keys USING btree (account_id, agent_id, revoked_at, expires_at);

CREATE INDEX api_keys_account_id_id_idx ON public.api_keys USING btree (account_id, id);

CREATE INDEX api_keys_agent_id_idx ON public.api_keys USING btree (agent_id);

CREATE INDEX api_keys_expires_at_idx ON public.api_keys USING btree (expires_at);

CREATE UNIQUE INDEX api_keys_hash_key ON public.api_keys USING btree (hash);

CREATE INDEX api_keys_revoked_at_idx ON public.api_keys USING btree (revoked_at);

CREATE INDEX approvals_account_id_id_idx ON public.approvals USING btree (account_id, id);

CREATE INDEX approvals_account_id_status_id_idx ON public.approvals USING btree (account_id, status, id);

CREATE UNIQUE INDEX approvals_run_id_tool_call_id_key ON public.approvals USING btree (run_id, tool_call_id);

CREATE INDEX artifacts_account_id_id_idx ON public.artifacts USING btree (account_id, id);

CREATE UNIQUE INDEX artifacts_run_id_step_key_key ON public.artifacts USING btree (run_id, step_key);

CREATE INDEX artifacts_storage_key_idx ON public.artifacts USING btree (storage_key);

CREATE INDEX audit_events_account_id_action_id_idx ON public.audit_events USING btree (account_id, action, id);

CREATE INDEX audit_events_account_id_id_idx ON public.audit_events USING btree (account_id, id);

CREATE INDEX audit_events_action_id_idx ON public.audit_events USING btree (action, id);

CREATE INDEX budget_waits_of_wait_idx ON public.budget_waits USING btree (of_wait);

CREATE INDEX budget_waits_run_id_idx ON public.budget_waits USING btree (run_id);

CREATE INDEX budget_waits_waiting ON public.budget_waits USING btree (account_id) WHERE (status = 'waiting'::text);

CREATE INDEX client_tool_calls_account_id_idx ON public.client_tool_calls USING btree (account_id);

CREATE INDEX conversation_summaries_account_id_idx ON public.conversation_summaries USING btree (account_id);

CREATE INDEX conversation_summaries_run_id_idx ON public.conversation_summaries USING btree (run_id);

CREATE INDEX conversations_account_id_end_user_id_idx ON public.conversations USING btree (account_id, end_user, id) WHERE (end_user IS NOT NULL);

CREATE INDEX conversations_account_id_family_id_idx ON public.conversations USING btree (account_id, family, id) WHERE (family <> 'agent'::text);

CREATE INDEX conversations_account_id_id_idx ON public.conversations USING btree (account_id, id);

CREATE INDEX credit_holds_account_id_idx ON public.credit_holds USING btree (account_id);

CREATE INDEX dataset_items_dataset_id_id_idx ON public.dataset_items USING btree (dataset_id, id);

CREATE UNIQUE INDEX dataset_items_dataset_id_name_key ON public.dataset_items USING btree (dataset_id, name);

CREATE INDEX datasets_account_id_id_idx ON public.datasets USING btree (account_id, id);

CREATE UNIQUE INDEX datasets_agent_id_key ON public.datasets USING btree (agent_id);

CREATE UNIQUE INDEX end_users_account_id_end_user_key ON public.end_users USING btree (account_id, end_user);

CREATE INDEX end_users_account_id_id_idx ON public.end_users USING btree (account_id, id);

CREATE INDEX end_users_account_id_prefix_idx ON public.end_users USING btree (account_id, end_user COLLATE "C");

CREATE INDEX end_users_erasing_idx ON public.end_users USING btree (erasing_at) WHERE (erasing_at IS NOT NULL);

CREATE INDEX engine_events_received_at_idx ON public.engine_events USING btree (received_at);

CREATE INDEX engine_events_unrouted ON public.engine_events USING btree (received_at) WHERE (routed_at IS NULL);

CREATE INDEX engine_runs_active ON public.engine_runs USING btree (created_at) WHERE (status = 'active'::text);

CREATE INDEX engine_runs_at_work ON public.engine_runs USING btree (key, turn) WHERE (owner IS NOT NULL);

CREATE INDEX engine_runs_at_work_second ON public.engine_runs USING btree (second_key) WHERE ((owner IS NOT NULL) AND (second_key IS NOT NULL));

CREATE INDEX engine_runs_due ON public.engine_runs USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX engine_runs_ended_at_idx ON public.engine_runs USING btree (ended_at);

CREATE INDEX engine_runs_event_id_idx ON public.engine_runs USING btree (event_id);

CREATE INDEX engine_runs_heads ON public.engine_runs USING btree (lane, key, turn, since) WHERE queued;

CREATE INDEX engine_runs_of_key ON public.engine_runs USING btree (key, since) WHERE queued;

CREATE INDEX engine_runs_queue ON public.engine_runs USING btree (lane, turn, since) WHERE queued;

CREATE INDEX engine_waits_event_match_value_idx ON public.engine_waits USING btree (event, match_value);

CREATE INDEX erased_files_account_id_idx ON public.erased_files USING btree (account_id);

CREATE INDEX erased_files_end_user_id_idx ON public.erased_files USING btree (end_user_id);

CREATE INDEX file_indexes_account_id_idx ON public.file_indexes USING btree (account_id);

CREATE INDEX file_texts_account_id_idx ON public.file_texts USING btree (account_id);

CREATE INDEX file_texts_words_idx ON public.file_texts USING gin (words);

CREATE INDEX hour_buckets_window_started_at_idx ON public.hour_buckets USING btree (window_started_at);

CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);

CREATE INDEX invitations_email_idx ON public.invitations USING btree (email);

CREATE INDEX invitations_expires_at_idx ON public.invitations USING btree (expires_at);

CREATE UNIQUE INDEX invitations_hash_key ON public.invitations USING btree (hash);

CREATE INDEX ledger_entries_account_id_id_idx ON public.ledger_entries USING btree (account_id, id);

CREATE INDEX ledger_entries_run_id_idx ON public.ledger_entries USING btree (run_id);

CREATE INDEX mcp_connections_account_id_end_user_id_idx ON public.mcp_connections USING btree (account_id, end_user, id) WHERE (end_user IS NOT NULL);

CREATE INDEX mcp_connections_account_id_own_idx ON public.mcp_connections USING btree (account_id, id) WHERE (end_user IS NULL);

CREATE UNIQUE INDEX mcp_connections_account_id_server_url_key ON public.mcp_connections USING btree (account_id, server_url);

CREATE INDEX mcp_connections_server_idx ON public.mcp_connections USING btree (account_id, split_part(server_url, '
'::text, 1), id) WHERE (end_user IS NOT NULL);

CREATE UNIQUE INDEX mcp_connections_sign_in_hash_key ON public.mcp_connections USING btree (sign_in_hash);

CREATE INDEX mcp_listings_listed_at_idx ON public.mcp_listings USING btree (listed_at);

CREATE INDEX mcp_revisions_until_idx ON public.mcp_revisions USING btree (until);

CREATE INDEX messages_conversation_id_id_idx ON public.messages USING btree (conversation_id, id);

CREATE INDEX messages_conversation_id_position_idx ON public.messages USING btree (conversation_id, "position");

CREATE UNIQUE INDEX messages_run_id_role_key ON public.messages USING btree (run_id, role);

CREATE INDEX minute_buckets_window_started_at_idx ON public.minute_buckets USING btree (window_started_at);

CREATE INDEX notifications_account_id_id_idx ON public.notifications USING btree (account_id, id);

CREATE UNIQUE INDEX notifications_key_key ON public.notifications USING btree (key);

CREATE UNIQUE INDEX notifications_run_id_key ON public.notifications USING btree (run_id);

CREATE INDEX notifications_to_mail_idx ON public.notifications USING btree (created_at) WHERE (emailed_at IS NULL);

CREATE INDEX operator_losses_created_at_idx ON public.operator_losses USING btree (created_at);

CREATE INDEX passkey_challenges_expires_at_idx ON public.passkey_challenges USING btree (expires_at);

CREATE INDEX passkeys_account_id_idx ON public.passkeys USING btree (account_id);

CREATE UNIQUE INDEX passkeys_credential_id_key ON public.passkeys USING btree (credential_id);

CREATE INDEX passkeys_user_id_id_idx ON public.passkeys USING btree (user_id, id);

CREATE INDEX pending_sign_ups_email_id_idx ON public.pending_sign_ups USING btree (email, id);

CREATE INDEX pending_sign_ups_expires_at_idx ON public.pending_sign_ups USING btree (expires_at);

CREATE UNIQUE INDEX prompts_account_id_hash_key ON public.prompts USING btree (account_id, hash);

CREATE INDEX queued_runs_account_id_idx ON public.queued_runs USING btree (account_id);

CREATE UNIQUE INDEX queued_runs_conversation_id_place_key ON public.queued_runs USING btree (conversation_id, place);

CREATE INDEX recovery_codes_account_id_idx ON public.recovery_codes USING btree (account_id);

CREATE INDEX recovery_codes_user_id_idx ON public.recovery_codes USING btree (user_id);

CREATE INDEX remembered_approvals_account_id_idx ON public.remembered_approvals USING btree (account_id);

CREATE UNIQUE INDEX remembered_approvals_agent_id_digest_key ON public.remembered_approvals USING btree (agent_id, digest);

CREATE INDEX run_files_account_id_id_idx ON public.run_files USING btree (account_id, id);

CREATE UNIQUE INDEX run_files_run_id_path_key ON public.run_files USING btree (run_id, path);

CREATE INDEX run_files_storage_key_idx ON public.run_files USING btree (storage_key);

CREATE INDEX run_logs_closed_at_idx ON public.run_logs USING btree (closed_at);

CREATE INDEX run_logs_open ON public.run_logs USING btree (run_id) WHERE (closed_at IS NULL);

CREATE INDEX run_messages_account_id_idx ON public.run_messages USING btree (account_id);

CREATE UNIQUE INDEX run_messages_run_id_position_key ON public.run_messages USING btree (run_id, "position");

CREATE INDEX run_prompts_account_id_hash_idx ON public.run_prompts USING btree (account_id, hash);

CREATE INDEX run_usage_account_id_created_at_idx ON public.run_usage USING btree (account_id, created_at);

CREATE INDEX run_usage_account_id_end_user_created_at_idx ON public.run_usage USING btree (account_id, end_user, created_at) WHERE (end_user IS NOT NULL);

CREATE INDEX run_usage_created_at_idx ON public.run_usage USING btree (created_at);

CREATE INDEX runs_account_id_end_user_id_idx ON public.runs USING btree (account_id, end_user, id) WHERE (end_user IS NOT NULL);

CREATE INDEX runs_account_id_id_idx ON public.runs USING btree (account_id, id);

CREATE INDEX runs_account_id_status_id_idx ON public.runs USING btree (account_id, status, id);

CREATE INDEX runs_account_id_super_agent_idx ON public.runs USING btree (account_id, id) WHERE (kind = 'super_agent'::text);

CREATE INDEX runs_agent_id_id_idx ON public.runs USING btree (agent_id, id);

CREATE INDEX runs_agent_id_kind_id_idx ON public.runs USING btree (agent_id, kind, id) WHERE (kind <> 'agent'::text);

CREATE INDEX runs_conversation_id_idx ON public.runs USING btree (conversation_id);

CREATE INDEX runs_metadata_idx ON public.runs USING gin (jsonb_set('{}'::jsonb, ARRAY[(account_id)::text], metadata) jsonb_path_ops) WITH (fastupdate=off) WHERE (metadata <> '{}'::jsonb);

CREATE INDEX runs_parent_run_id_idx ON public.runs USING btree (parent_run_id);

CREATE INDEX runs_status_created_at_idx ON public.runs USING btree (status, created_at);

CREATE INDEX schedule_firings_account_id_idx ON public.schedule_firings USING btree (account_id);

CREATE INDEX schedule_firings_run_id_idx ON public.schedule_firings USING btree (run_id);

CREATE INDEX schedule_firings_schedule_id_id_idx ON public.schedule_firings USING btree (schedule_id, id);

CREATE INDEX schedules_agent_id_id_idx ON public.schedules USING btree (agent_id, id);

CREATE INDEX schedules_enabled_next_run_at_idx ON public.schedules USING btree (enabled, next_run_at);

CREATE INDEX secrets_account_id_end_user_id_idx ON public.secrets USING btree (account_id, end_user, id) WHERE (end_user IS NOT NULL);

CREATE UNIQUE INDEX secrets_account_id_name_key ON public.secrets USING btree (account_id, name);

CREATE INDEX secrets_account_id_own_idx ON public.secrets USING btree (account_id, id) WHERE (end_user IS NULL);

CREATE INDEX sign_up_links_sign_up_id_idx ON public.sign_up_links USING btree (sign_up_id);

CREATE UNIQUE INDEX skills_account_id_name_key ON public.skills USING btree (account_id, name);

CREATE INDEX totp_factors_account_id_idx ON public.totp_factors USING btree (account_id);

CREATE UNIQUE INDEX totp_factors_user_id_key ON public.totp_factors USING btree (user_id);

CREATE INDEX uploads_account_id_idx ON public.uploads USING btree (account_id);

CREATE INDEX uploads_expires_at_idx ON public.uploads USING btree (expires_at);

CREATE INDEX usage_hours_hour_idx ON public.usage_hours USING btree (hour);

CREATE INDEX user_sessions_expires_at_idx ON public.user_sessions USING btree (expires_at);

CREATE INDEX user_sessions_user_id_id_idx ON public.user_sessions USING btree (user_id, id);

CREATE INDEX user_tokens_expires_at_idx ON public.user_tokens USING btree (expires_at);

CREATE UNIQUE INDEX user_tokens_hash_key ON public.user_tokens USING btree (hash);

CREATE INDEX user_tokens_user_id_idx ON public.user_tokens USING btree (user_id);

CREATE INDEX users_account_id_idx ON public.users USING btree (account_id);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email);

CREATE INDEX webhook_deliveries_account_id_id_idx ON public.webhook_deliveries USING btree (account_id, id);

CREATE INDEX webhook_deliveries_account_id_status_id_idx ON public.webhook_deliveries USING btree (account_id, status, id) WHERE (status <> 'delivered'::text);

CREATE INDEX webhook_deliveries_endpoint_id_idx ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (endpoint_id IS NOT NULL);

CREATE UNIQUE INDEX webhook_deliveries_own_run_key ON public.webhook_deliveries USING btree (run_id) WHERE (endpoint_id IS NULL);

CREATE INDEX webhook_deliveries_pending_idx ON public.webhook_deliveries USING btree (created_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_run_id_idx ON public.webhook_deliveries USING btree (run_id);

CREATE INDEX webhook_endpoints_account_id_id_idx ON public.webhook_endpoints USING btree (account_id, id);

CREATE INDEX webhook_secrets_account_id_idx ON public.webhook_secrets USING btree (account_id);

CREATE INDEX webhook_secrets_endpoint_id_idx ON public.webhook_secrets USING btree (endpoint_id);

CREATE INDEX webhook_secrets_expires_at_idx ON public.webhook_secrets USING btree (expires_at);

CREATE INDEX workspace_agents_agent_id_idx ON public.workspace_agents USING btree (agent_id);

CREATE INDEX workspace_files_account_id_id_idx ON public.workspace_files USING btree (account_id, id);

CREATE INDEX workspace_files_storage_key_idx ON public.workspace_files USING btree (storage_key);

CREATE INDEX workspace_files_workspace_id_id_idx ON public.workspace_files USING btree (workspace_id, id);

CREATE INDEX workspace_files_workspace_id_path_idx ON public.workspace_files USING btree (workspace_id, path COLLATE "C");

CREATE UNIQUE INDEX workspace_files_workspace_id_path_key ON public.workspace_files USING btree (workspace_id, path);

CREATE INDEX workspaces_account_id_id_idx ON public.workspaces USING btree (account_id, id);

CREATE TRIGGER accounts_credits_awaited BEFORE UPDATE OF available_micros ON public.accounts FOR EACH ROW WHEN (((new.available_micros >= old.credits_awaited_micros) AND (new.available_micros > old.available_micros))) EXECUTE FUNCTION credits_awaited();

CREATE TRIGGER accounts_credits_low BEFORE UPDATE OF available_micros ON public.accounts FOR EACH ROW WHEN (((old.available_micros > 100000000) AND (new.available_micros <= 100000000) AND ((old.credits_low_at IS NULL) OR (old.credits_low_at < (now() - '1 day'::interval))))) EXECUTE FUNCTION record_credits_event();

CREATE TRIGGER accounts_limit_gone AFTER DELETE ON public.accounts FOR EACH ROW WHEN (((old.runs_at_work IS NOT NULL) OR (NOT old.vouched))) EXECUTE FUNCTION account_runs_at_work();

CREATE TRIGGER accounts_limit_new AFTER INSERT ON public.accounts FOR EACH ROW WHEN (((new.runs_at_work IS NOT NULL) OR (NOT new.vouched))) EXECUTE FUNCTION account_runs_at_work();

CREATE TRIGGER accounts_limit_runs AFTER UPDATE OF runs_at_work, vouched ON public.accounts FOR EACH ROW WHEN (((old.runs_at_work IS DISTINCT FROM new.runs_at_work) OR (old.vouched <> new.vouched))) EXECUTE FUNCTION account_runs_at_work();

CREATE TRIGGER accounts_rights_changed AFTER UPDATE OF blocked, super_agent_access, read_per_minute, runs_per_minute, write_per_hour ON public.accounts FOR EACH ROW EXECUTE FUNCTION principal_changed();

CREATE TRIGGER agent_versions_created AFTER INSERT ON public.agent_versions FOR EACH ROW EXECUTE FUNCTION record_version_event();

CREATE TRIGGER agents_counted_in AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_active_agents();

CREATE TRIGGER agents_counted_on AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_active_agents();

CREATE TRIGGER agents_counted_out AFTER DELETE ON public.agents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_active_agents();

CREATE TRIGGER api_keys_changed AFTER UPDATE OF revoked_at, expires_at, name ON public.api_keys FOR EACH ROW EXECUTE FUNCTION principal_changed();

CREATE TRIGGER api_keys_gone AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION principal_changed();

CREATE TRIGGER approvals_requested AFTER INSERT ON public.approvals FOR EACH ROW WHEN ((new.status = 'pending'::text)) EXECUTE FUNCTION record_approval_event();

CREATE TRIGGER approvals_resolved AFTER UPDATE OF status ON public.approvals FOR EACH ROW WHEN (((old.status = 'pending'::text) AND (new.status <> 'pending'::text))) EXECUTE FUNCTION record_approval_event();

CREATE TRIGGER audit_events_rows_stay BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION audit_events_only_grow();

CREATE TRIGGER audit_events_table_stays BEFORE TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION audit_events_only_grow();

CREATE TRIGGER conversations_begin_private BEFORE INSERT ON public.conversations FOR EACH ROW WHEN ((new.active_run_id IS NOT NULL)) EXECUTE FUNCTION begin_conversation_private();

CREATE TRIGGER conversations_counted_in AFTER INSERT ON public.conversations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('conversations');

CREATE TRIGGER conversations_counted_out AFTER DELETE ON public.conversations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('conversations');

CREATE TRIGGER mcp_connections_counted_in AFTER INSERT ON public.mcp_connections REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('connections');

CREATE TRIGGER mcp_connections_counted_out AFTER DELETE ON public.mcp_connections REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('connections');

CREATE TRIGGER mcp_connections_ended AFTER UPDATE OF status ON public.mcp_connections FOR EACH ROW WHEN (((new.status = 'needs_sign_in'::text) AND (old.status <> 'needs_sign_in'::text))) EXECUTE FUNCTION record_connection_event();

CREATE TRIGGER messages_forget_summary AFTER DELETE ON public.messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_summed_up_messages();

CREATE TRIGGER runs_ended AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL))) EXECUTE FUNCTION record_run_event();

CREATE TRIGGER runs_ended_waiting AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL) AND ((old.requires_action ->> 'type'::text) = ANY (ARRAY['budget'::text, 'credits'::text])))) EXECUTE FUNCTION end_budget_waits();

CREATE TRIGGER runs_go_on_private AFTER INSERT ON public.runs FOR EACH ROW WHEN (((new.conversation_id IS NOT NULL) AND ((new.workspace_id IS NOT NULL) OR (new.agent_id IS NOT NULL) OR (new.kind = 'app'::text) OR (new.parent_run_id IS NOT NULL)))) EXECUTE FUNCTION go_on_private();

CREATE TRIGGER runs_of_schedules_ended AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL) AND (new.schedule_id IS NOT NULL))) EXECUTE FUNCTION count_schedule_run();

CREATE TRIGGER runs_repeat_private AFTER UPDATE OF replayed_from, history_of ON public.runs FOR EACH ROW WHEN (((new.conversation_id IS NOT NULL) AND (new.replayed_from IS NOT NULL))) EXECUTE FUNCTION go_on_private();

CREATE TRIGGER runs_wait AFTER UPDATE OF requires_action ON public.runs FOR EACH ROW WHEN (((new.requires_action IS NOT NULL) AND (new.completed_at IS NULL) AND ((old.requires_action IS NULL) OR ((new.requires_action - '{calls,spent,max_credits}'::text[]) IS DISTINCT FROM (old.requires_action - '{calls,spent,max_credits}'::text[]))))) EXECUTE FUNCTION record_run_event();

CREATE TRIGGER schedules_counted_in AFTER INSERT ON public.schedules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('schedules');

CREATE TRIGGER schedules_counted_out AFTER DELETE ON public.schedules REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('schedules');

CREATE TRIGGER schedules_pause BEFORE UPDATE OF failures ON public.schedules FOR EACH ROW WHEN ((new.failures > old.failures)) EXECUTE FUNCTION pause_failing_schedule();

CREATE TRIGGER schedules_skipped AFTER UPDATE OF last_error, failures ON public.schedules FOR EACH ROW WHEN (((new.failures > old.failures) OR ((new.failures = old.failures) AND (new.last_error IS NOT NULL) AND (new.next_run_at IS DISTINCT FROM old.next_run_at)))) EXECUTE FUNCTION record_schedule_event();

CREATE TRIGGER secrets_counted_in AFTER INSERT ON public.secrets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('secrets');

CREATE TRIGGER secrets_counted_out AFTER DELETE ON public.secrets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('secrets');

CREATE TRIGGER skills_counted_in AFTER INSERT ON public.skills REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('skills');

CREATE TRIGGER skills_counted_out AFTER DELETE ON public.skills REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('skills');

CREATE TRIGGER begin_delivery_round BEFORE UPDATE OF round ON public.webhook_deliveries FOR EACH ROW WHEN ((new.round <> old.round)) EXECUTE FUNCTION begin_delivery_round();

CREATE TRIGGER workspace_files_counted_in AFTER INSERT ON public.workspace_files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('files');

CREATE TRIGGER workspace_files_counted_out AFTER DELETE ON public.workspace_files REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('files');

CREATE TRIGGER workspaces_counted_in AFTER INSERT ON public.workspaces REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('workspaces');

CREATE TRIGGER workspaces_counted_out AFTER DELETE ON public.workspaces REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_account_rows('workspaces');

-- accept_run
--   takes p jsonb,
--     p_input jsonb,
--     p_text text,
--     p_line text,
--     p_body text
--   gives jsonb

-- accept_run
--   takes p_run uuid,
--     p_account uuid,
--     p_kind text,
--     p_agent uuid,
--     p_conversation uuid,
--     p_family text,
--     p_is_new boolean,
--     p_workspace uuid,
--     p_schedule uuid,
--     p_input jsonb,
--     p_text text,
--     p_model text,
--     p_metadata jsonb,
--     p_max_credits bigint,
--     p_webhook_url text,
--     p_should_notify boolean,
--     p_release_note text,
--     p_origin text,
--     p_parent_run uuid,
--     p_parent_call text,
--     p_trace_parent text,
--     p_message_id uuid,
--     p_line text,
--     p_estimate bigint,
--     p_limit bigint,
--     p_blocked boolean,
--     p_writes integer,
--     p_agents_cap integer,
--     p_conversations_cap integer,
--     p_route text,
--     p_key text,
--     p_key_hash text,
--     p_key_hours integer,
--     p_answer_status integer,
--     p_answer text[],
--     p_sends boolean,
--     p_routes boolean,
--     p_match_values text[],
--     p_starts engine_start[],
--     p_cancels engine_cancel[],
--     p_owner integer,
--     p_limits function_limit[]
--   gives TABLE(created_at timestamp with time zone,
--     lanes text[],
--     woken uuid[],
--     owners integer[],
--     claimed boolean,
--     replay_status integer,
--     replay_body text)

-- account_runs_at_work
--   gives trigger

-- admit_end_user
--   takes p_account uuid,
--     p_end_user text,
--     p_estimate bigint,
--     p_alone boolean
--   gives void

-- append_run_log
--   takes p jsonb,
--     p_lines text
--   gives void

-- append_run_log
--   takes p_log log_batch
--   gives void

-- append_run_logs
--   takes p_batches log_batch[]
--   gives TABLE(place integer)

-- audit_events_only_grow
--   gives trigger

-- begin_budget_wait
--   takes p_wait uuid,
--     p_run uuid,
--     p_account uuid,
--     p_agent_max bigint,
--     p_root uuid,
--     p_least bigint,
--     p_turn integer,
--     p_call text,
--     p_seconds integer
--   gives TABLE(outcome text,
--     is_new boolean,
--     action jsonb)

-- begin_conversation_private
--   gives trigger

-- begin_delivery_round
--   gives trigger

-- begin_model_turn
--   takes p_run uuid,
--     p_account uuid,
--     p_process integer,
--     p_writer integer,
--     p_max bigint,
--     p_root uuid,
--     p_least bigint,
--     p_most bigint,
--     p_prompt run_prompt_part
--   gives TABLE(status text,
--     writer integer,
--     next integer,
--     open_message uuid,
--     spent bigint,
--     holds boolean,
--     covered bigint,
--     room bigint)

-- begin_queued_run
--   takes p_conversation uuid,
--     p_account uuid
--   gives void

-- begin_turn
--   takes p jsonb
--   gives jsonb

-- begins_private
--   takes r runs
--   gives boolean

-- budget_lack
--   takes p_run uuid,
--     p_account uuid,
--     p_agent_max bigint,
--     p_root uuid,
--     p_least bigint
--   gives TABLE(kind text,
--     action jsonb,
--     root_action jsonb)

-- cancels_of
--   takes p_starts json
--   gives engine_cancel[]

-- charge_as_said
--   takes p_charge call_charge,
--     p_paid bigint
--   gives void

-- charge_call
--   takes p jsonb
--   gives bigint

-- charge_call
--   takes p_charge call_charge
--   gives bigint

-- charge_of
--   takes p jsonb
--   gives call_charge

-- complete_run
--   takes p jsonb,
--     p_lines text
--   gives void

-- complete_run
--   takes p_run uuid,
--     p_account uuid,
--     p_result jsonb,
--     p_message_id uuid,
--     p_turn model_turn,
--     p_spans span_part[],
--     p_charge call_charge,
--     p_paid bigint,
--     p_log log_batch,
--     p_end engine_result
--   gives void

-- count_account_rows
--   gives trigger

-- count_active_agents
--   gives trigger

-- count_owned_rows
--   gives trigger

-- count_schedule_run
--   gives trigger

-- counted_rows
--   takes p_account uuid,
--     p_name text,
--     p_standard integer,
--     OUT count integer,
--     OUT cap integer
--   gives record

-- cover_call
--   takes p_run uuid,
--     p_account uuid,
--     p_max bigint,
--     p_root uuid,
--     p_least bigint,
--     p_most bigint
--   gives jsonb

-- cover_model_call
--   takes p_run uuid,
--     p_account uuid,
--     p_max bigint,
--     p_root uuid,
--     p_least bigint,
--     p_most bigint
--   gives TABLE(covered bigint,
--     room bigint)

-- credits_awaited
--   gives trigger

-- decide_budget_wait
--   takes p_wait uuid,
--     p_account uuid,
--     p_status text
--   gives boolean

-- end_budget_waits
--   gives trigger

-- end_run
--   takes p_run uuid,
--     p_account uuid,
--     p_status text,
--     p_result jsonb,
--     p_error jsonb,
--     p_agent uuid,
--     p_message_id uuid
--   gives TABLE(id uuid,
--     account_id uuid,
--     kind text,
--     status text,
--     agent_id uuid,
--     conversation_id uuid,
--     parent_run_id uuid,
--     webhook_url text,
--     should_notify boolean,
--     result jsonb,
--     error jsonb,
--     model text,
--     trace_parent text,
--     created_at timestamp with time zone,
--     completed_at timestamp with time zone)

-- end_user_room
--   takes p_account uuid,
--     p_end_user text,
--     p_run uuid
--   gives bigint

-- engine_at_work
--   takes p_key text,
--     p_most integer
--   gives integer

-- engine_beat
--   takes p_process integer,
--     p_gone integer[],
--     p_silence integer
--   gives json

-- engine_begin_trial
--   takes p_run uuid,
--     p_owner integer,
--     p_attempt integer
--   gives integer

-- engine_bury
--   takes p_process integer,
--     p_froze boolean
--   gives integer

-- engine_claim
--   takes p_lane text,
--     p_owner integer,
--     p_free integer,
--     p_limits function_limit[]
--   gives TABLE(id uuid,
--     function_id text,
--     attempt integer,
--     wakes integer,
--     failures integer,
--     takeovers integer,
--     event_id text,
--     event_name text,
--     event_data text,
--     event_ms bigint,
--     waiting boolean)

-- engine_claim
--   takes p_lane text,
--     p_owner integer,
--     p_free integer,
--     p_limits jsonb
--   gives json

-- engine_claim_new
--   takes p_run uuid,
--     p_owner integer,
--     p_limits function_limit[]
--   gives boolean

-- engine_event
--   takes p_id text,
--     p_name text,
--     p_data text,
--     p_received timestamp with time zone
--   gives json

-- engine_fold
--   takes p jsonb
--   gives void

-- engine_front
--   takes p_lane text
--   gives TABLE(id uuid,
--     function_id text,
--     key text,
--     second_key text,
--     turn bigint)

-- engine_heads
--   takes p_lane text,
--     p_free integer,
--     p_limits function_limit[],
--     p_full text[]
--   gives TABLE(id uuid,
--     function_id text,
--     key text,
--     second_key text,
--     turn bigint)

-- engine_life
--   takes p_process integer,
--     p_silence integer
--   gives boolean

-- engine_matches
--   takes p_conditions text,
--     p_event json
--   gives boolean

-- engine_most
--   takes p_key text,
--     p_function text,
--     p_limits function_limit[]
--   gives integer

-- engine_next_turn
--   takes p_lane text,
--     p_key text
--   gives bigint

-- engine_route
--   takes p_id text,
--     p_event json,
--     p_match text[],
--     p_received timestamp with time zone,
--     p_starts json
--   gives json

-- engine_route
--   takes p_id text,
--     p_event json,
--     p_match_values text[],
--     p_received timestamp with time zone,
--     p_starts engine_start[],
--     p_cancels engine_cancel[],
--     OUT lanes text[],
--     OUT woken uuid[],
--     OUT owners integer[]
--   gives record

-- engine_route_stored
--   takes p_id text,
--     p_starts engine_start[],
--     p_cancels engine_cancel[],
--     OUT lanes text[],
--     OUT woken uuid[],
--     OUT owners integer[]
--   gives record

-- engine_route_stored
--   takes p_id text,
--     p_starts json
--   gives json

-- engine_send
--   takes p_id text,
--     p_name text,
--     p_data text,
--     p_function text,
--     p_match text[],
--     p_starts json
--   gives json

-- engine_send
--   takes p_id text,
--     p_name text,
--     p_data text,
--     p_function text,
--     p_match_values text[],
--     p_routes boolean,
--     p_starts engine_start[],
--     p_cancels engine_cancel[],
--     OUT lanes text[],
--     OUT woken uuid[],
--     OUT owners integer[]
--   gives record

-- engine_store_result
--   takes p_result engine_result
--   gives void

-- engine_wake
--   takes p_run uuid
--   gives integer

-- forget_summed_up_messages
--   gives trigger

-- go_on_private
--   gives trigger

-- limited_end_user
--   takes p_run uuid,
--     p_account uuid
--   gives text

-- log_of
--   takes p jsonb,
--     p_lines text
--   gives log_batch

-- move_run_log
--   takes p_log log_batch
--   gives boolean

-- new_id
--   gives uuid

-- notify_owners
--   takes p_account uuid,
--     p_key text,
--     p_path text,
--     p_title text,
--     p_body text
--   gives void

-- pause_failing_schedule
--   gives trigger

-- principal_changed
--   gives trigger

-- receive_messages
--   takes p_run uuid,
--     p_account uuid,
--     p_turn integer,
--     p_messages uuid[],
--     p_text text,
--     p_log log_batch
--   gives void

-- record_approval_event
--   gives trigger

-- record_connection_event
--   gives trigger

-- record_credits_event
--   gives trigger

-- record_event
--   takes p_account uuid,
--     p_type text,
--     p_data jsonb
--   gives void

-- record_run_event
--   gives trigger

-- record_schedule_event
--   gives trigger

-- record_version_event
--   gives trigger

-- release_hold
--   takes p_run uuid
--   gives void

-- result_of
--   takes p jsonb
--   gives engine_result

-- review_budget_wait
--   takes p_wait uuid,
--     p_account uuid
--   gives boolean

-- routed_of
--   takes p_lanes text[],
--     p_woken uuid[],
--     p_owners integer[]
--   gives json

-- run_room
--   takes p_run uuid,
--     p_account uuid,
--     p_max bigint,
--     p_root uuid
--   gives bigint

-- run_statuses_before
--   takes p_next text
--   gives text[]

-- runs_above
--   takes p_run uuid,
--     p_account uuid
--   gives TABLE(run uuid,
--     most bigint)

-- spans_of
--   takes p jsonb
--   gives span_part[]

-- starts_of
--   takes p_starts json
--   gives engine_start[]

-- store_model_turn
--   takes p_turn model_turn,
--     p_spans span_part[]
--   gives void

-- store_private_result
--   takes p jsonb,
--     p_lines text,
--     p_conversation uuid
--   gives void

-- store_run_spans
--   takes p_run uuid,
--     p jsonb
--   gives void

-- store_run_spans
--   takes p_run uuid,
--     p_spans span_part[]
--   gives void

-- store_run_turn
--   takes p_run uuid,
--     p jsonb
--   gives void

-- store_tool_result
--   takes p jsonb,
--     p_lines text
--   gives void

-- store_tool_result
--   takes p_run uuid,
--     p_account uuid,
--     p_tool_call_id text,
--     p_turn integer,
--     p_name text,
--     p_succeeded boolean,
--     p_took_ms double precision,
--     p_output jsonb,
--     p_action jsonb,
--     p_shows uuid,
--     p_log log_batch,
--     p_result engine_result
--   gives void

-- store_turn
--   takes p jsonb,
--     p_lines text
--   gives void

-- store_turn
--   takes p_turn model_turn,
--     p_spans span_part[],
--     p_charge call_charge,
--     p_paid bigint,
--     p_log log_batch,
--     p_result engine_result
--   gives void

-- take_hourly_write
--   takes p_account uuid,
--     OUT count integer,
--     OUT retry_seconds integer
--   gives record

-- take_log
--   takes p_run uuid,
--     p_process integer,
--     p_abandoned boolean,
--     p_alive_seconds integer
--   gives TABLE(writer integer,
--     next integer,
--     open_message uuid)

-- turn_of
--   takes p_run uuid,
--     p jsonb
--   gives model_turn
