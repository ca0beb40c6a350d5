-- AlterTable
ALTER TABLE "mail_sent_messages" ADD COLUMN     "unreachable_since" TIMESTAMPTZ(3);
