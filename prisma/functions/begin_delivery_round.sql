-- When the round of a delivery began that is under way. By a trigger, so that a redelivery by a
-- process of the release before counts too.
CREATE OR REPLACE FUNCTION begin_delivery_round()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.requested_at := now();
  RETURN NEW;
END $$;
