-- Row-level security
DROP TRIGGER IF EXISTS "advance_version" ON "mail_servers";
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "mail_servers" FOR EACH ROW WHEN (NEW."last_fetch_at" IS NOT DISTINCT FROM OLD."last_fetch_at") EXECUTE FUNCTION "advance_version"();
