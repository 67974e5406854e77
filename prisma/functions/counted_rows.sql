-- How many rows of a kind an account has, and how many it may have: its own number where the
-- operator has set one, else `p_standard`.
CREATE OR REPLACE FUNCTION counted_rows(p_account uuid, p_name text, p_standard integer)
RETURNS TABLE (count integer, cap integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT coalesce((SELECT r.count FROM row_counts r
      WHERE r.account_id = a.id AND r.name = p_name), 0)::integer,
    coalesce((a.row_caps ->> p_name)::integer, p_standard)
  FROM accounts a WHERE a.id = p_account;
END $$;
