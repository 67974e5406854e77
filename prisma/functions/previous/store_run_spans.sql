-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_run_spans(uuid, span_part[])`, by JSON.
CREATE OR REPLACE FUNCTION store_run_spans(p_run uuid, p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_run_spans(p_run, spans_of(p))
$$;
