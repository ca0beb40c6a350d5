-- AlterTable
ALTER TABLE "mail_servers" ADD COLUMN "signature" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "mail_sent_messages" ADD COLUMN "add_signature" BOOLEAN NOT NULL DEFAULT true;
