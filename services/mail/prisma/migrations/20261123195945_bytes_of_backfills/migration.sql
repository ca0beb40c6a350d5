-- AlterTable
ALTER TABLE "mail_commands" ADD COLUMN     "bytes_day" DATE,
ADD COLUMN     "bytes_on_day" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "waits_until" TIMESTAMPTZ(3);
