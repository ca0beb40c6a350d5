-- Written by `npm run policies` from src/tables.ts.
CREATE OR REPLACE FUNCTION "advance_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."version" := OLD."version" + 1;
    NEW."modified" := greatest(clock_timestamp(), OLD."modified");
    RETURN NEW;
END
$$;
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "tags" FOR EACH ROW EXECUTE FUNCTION "advance_version"();
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "issues" FOR EACH ROW EXECUTE FUNCTION "advance_version"();
