-- AlterTable
ALTER TABLE "mail_sent_messages" ADD COLUMN     "copy_failed_at" TIMESTAMPTZ(3);
