-- One turn of a run with what is told of the call that answered.
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
COMMENT ON TYPE model_turn IS
  'nullable: agent_version_id, took_ms, first_token_ms, reasoning_tokens, request_id, told,
  counted_tokens';
