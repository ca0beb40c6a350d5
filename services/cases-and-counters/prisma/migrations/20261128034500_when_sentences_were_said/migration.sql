-- When a sentence was said: written, and from the moment at which it is sent, sent. Of a case one is sent after the other, by whoever has it locked.
ALTER TABLE "issue_sentences" ADD COLUMN "said" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "issue_sentences" ALTER COLUMN "said" SET DEFAULT clock_timestamp();

CREATE FUNCTION "say_sentence"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."said" := clock_timestamp();
    RETURN NEW;
END
$$;
CREATE TRIGGER "say_sentence" BEFORE UPDATE OF "status" ON "issue_sentences" FOR EACH ROW
    WHEN (NEW."status" = 'sent' AND OLD."status" <> 'sent') EXECUTE FUNCTION "say_sentence"();

-- The sentences that are there: a reply that has ended a wait says when, and any other one has mostly not changed since it was sent. Their versions
-- stay, since they are shown as before. Nobody writes one until the commit: the trigger above has locked the table.
SELECT set_config('app.platform', 'on', true);
ALTER TABLE "issue_sentences" DISABLE TRIGGER "advance_version";
UPDATE "issue_sentences" SET "said" = CASE
    WHEN "speaker" <> 'expert' OR "status" <> 'sent' THEN "created"
    ELSE COALESCE("waiting_since" + make_interval(secs => "waiting_time"), "modified")
END;
ALTER TABLE "issue_sentences" ENABLE TRIGGER "advance_version";
