-- AlterTable
ALTER TABLE "mail_attachments" ADD COLUMN     "blob_key" TEXT,
ADD COLUMN     "virus_scan_error" TEXT,
ADD COLUMN     "virus_scan_status" TEXT NOT NULL DEFAULT 'pending',
ADD COLUMN     "wanted" BOOLEAN NOT NULL DEFAULT false;
