-- `count_account_rows` for agents, of which archived ones do not count: nothing else takes an
-- agent away.
CREATE OR REPLACE FUNCTION count_active_agents()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, 'agents', count(*) FROM new_rows WHERE status = 'active'
    GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (
      SELECT account_id, count(*) AS count FROM old_rows WHERE status = 'active'
      GROUP BY account_id
    ) gone
    WHERE c.account_id = gone.account_id AND c.name = 'agents';
  ELSE
    UPDATE row_counts c SET count = c.count + moved.count
    FROM (
      SELECT n.account_id,
        sum((n.status = 'active')::int - (o.status = 'active')::int)::int AS count
      FROM new_rows n JOIN old_rows o ON o.id = n.id AND o.status <> n.status
      GROUP BY n.account_id
    ) moved
    WHERE c.account_id = moved.account_id AND c.name = 'agents';
  END IF;
  RETURN NULL;
END $$;
