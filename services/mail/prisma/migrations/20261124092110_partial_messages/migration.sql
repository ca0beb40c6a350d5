-- AlterTable
ALTER TABLE "mail_received_messages" ADD COLUMN     "partial" BOOLEAN NOT NULL DEFAULT false;
