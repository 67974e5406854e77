-- What an event has set going as the release before reads it. The next release drops it.
CREATE OR REPLACE FUNCTION routed_of(p_lanes text[], p_woken uuid[], p_owners integer[])
RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object('lanes', to_json(p_lanes), 'woken', (
    SELECT coalesce(json_agg(json_build_object('id', w.id, 'owner', nullif(w.owner, -1))), '[]')
    FROM unnest(p_woken, p_owners) AS w(id, owner)))
$$;
