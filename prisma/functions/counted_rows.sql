-- How many rows of a kind an account has, and how many it may have: its own number where the
-- operator has set one, else `p_standard`.
CREATE OR REPLACE FUNCTION counted_rows(
  p_account uuid,
  p_name text,
  p_standard integer,
  OUT count integer,
  OUT cap integer
)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT r.count INTO count FROM row_counts r WHERE r.account_id = p_account AND r.name = p_name;
  SELECT (a.row_caps ->> p_name)::integer INTO cap FROM accounts a WHERE a.id = p_account;
  count := coalesce(count, 0);
  cap := coalesce(cap, p_standard);
END $$;
