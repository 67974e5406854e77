-- When the round of a delivery began that is under way: what nobody attempts is sent again from then on, and given up in the end.
ALTER TABLE "webhook_deliveries" ADD COLUMN "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- By a trigger, so that a redelivery by a process of the release before counts too.
CREATE FUNCTION begin_delivery_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.requested_at := now();
  RETURN NEW;
END $$;

CREATE TRIGGER begin_delivery_round BEFORE UPDATE OF round ON webhook_deliveries
  FOR EACH ROW WHEN (NEW.round <> OLD.round) EXECUTE FUNCTION begin_delivery_round();
