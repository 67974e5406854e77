-- Lines that are to stand behind a run's log, and what they make true of it. `writer` and `first`
-- are the fence: they fit only while nobody else has written. `message`: the message that was
-- begun last; `is_whole`: none stands open any more. Without `lines` the fence alone is looked
-- at.
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
COMMENT ON TYPE log_batch IS 'nullable: message, todo, lines';
