-- A part of a run that no other row tells of, for its trace. `ago_ms`: how long ago it began.
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
COMMENT ON TYPE span_part IS 'nullable: output, error';
