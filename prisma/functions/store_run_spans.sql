-- What a run's trace tells beside its rows. Storing a part again changes nothing.
CREATE OR REPLACE FUNCTION store_run_spans(p_run uuid, p_spans span_part[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_spans
    (run_id, id, turn, kind, name, status, started_at, ended_at, attributes, output, error)
  SELECT p_run, s.id, s.turn, s.kind, s.name, s.status,
    clock_timestamp() - make_interval(secs => s.ago_ms / 1000),
    clock_timestamp() - make_interval(secs => (s.ago_ms - s.took_ms) / 1000),
    s.attributes, s.output, s.error
  FROM unnest(p_spans) s
  ON CONFLICT (run_id, id) DO NOTHING;
END $$;
