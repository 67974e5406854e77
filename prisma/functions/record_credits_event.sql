-- The credits of an account run low. Told once a day, however often holds are taken and given back
-- around the bound (the trigger's condition), by the bell too.
CREATE OR REPLACE FUNCTION record_credits_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_available numeric := round(NEW.available_micros / 1000000.0, 6);
BEGIN
  NEW.credits_low_at := now();
  PERFORM record_event(NEW.id, 'account.credits_low',
    jsonb_build_object('available_credits', v_available));
  PERFORM notify_owners(NEW.id, 'credits:' || NEW.id, '/usage', 'The account''s credits run low',
    format('%s credits are left, beside what runs at work hold. Runs that they do not cover are '
      'refused, fail, or wait.', trim_scale(v_available)));
  RETURN NEW;
END $$;
