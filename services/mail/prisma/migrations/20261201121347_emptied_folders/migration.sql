-- AlterTable
ALTER TABLE "mail_folders" ADD COLUMN     "removed" BOOLEAN NOT NULL DEFAULT false;
