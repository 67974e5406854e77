-- One priced call of a model. Money is in millionths of a credit. `max`: the run's own limit,
-- null without one; `root`: the super-agent's run whose limit holds for all that it started;
-- `keep`: what the run goes on holding, at most.
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
COMMENT ON TYPE call_charge IS 'nullable: max, root, agent';
