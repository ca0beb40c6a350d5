-- AlterTable
ALTER TABLE "mail_sent_messages" ADD COLUMN     "copy_tried_at" TIMESTAMPTZ(3);

-- Row-level security
DROP TRIGGER IF EXISTS "advance_version" ON "mail_sent_messages";
CREATE TRIGGER "advance_version" BEFORE UPDATE ON "mail_sent_messages" FOR EACH ROW WHEN (NEW."copy_tried_at" IS NOT DISTINCT FROM OLD."copy_tried_at") EXECUTE FUNCTION "advance_version"();
