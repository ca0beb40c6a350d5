-- Written by `npm run policies` from src/tables.ts.
CREATE OR REPLACE FUNCTION "advance_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."version" := OLD."version" + 1;
    NEW."modified" := greatest(clock_timestamp(), OLD."modified");
    RETURN NEW;
END
$$;
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "customers" FOR EACH ROW EXECUTE FUNCTION "advance_version"();
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "user_roles" FOR EACH ROW EXECUTE FUNCTION "advance_version"();
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "users" FOR EACH ROW WHEN (NEW."last_login" IS NOT DISTINCT FROM OLD."last_login") EXECUTE FUNCTION "advance_version"();
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "clients" FOR EACH ROW WHEN (NEW."last_login" IS NOT DISTINCT FROM OLD."last_login") EXECUTE FUNCTION "advance_version"();
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "client_links" FOR EACH ROW EXECUTE FUNCTION "advance_version"();
