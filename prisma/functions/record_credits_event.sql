-- The credits of an account run low. Told once a day, however often holds are taken and given back
-- around the bound (the trigger's condition).
CREATE OR REPLACE FUNCTION record_credits_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.credits_low_at := now();
  PERFORM record_event(NEW.id, 'account.credits_low',
    jsonb_build_object('available_credits', round(NEW.available_micros / 1000000.0, 6)));
  RETURN NEW;
END $$;
