-- How many runs of a function may be at work at once, by the first of its keys and by the second.
CREATE TYPE function_limit AS (
  function_id text,
  first integer,
  second integer
);
COMMENT ON TYPE function_limit IS 'nullable: first, second';
