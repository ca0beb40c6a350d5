-- Row-level security
DROP TRIGGER IF EXISTS "advance_version" ON "webhooks";
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "webhooks" FOR EACH ROW WHEN (NEW."failures" IS NOT DISTINCT FROM OLD."failures") EXECUTE FUNCTION "advance_version"();
