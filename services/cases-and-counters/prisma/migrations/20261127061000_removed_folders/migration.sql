-- AlterTable
ALTER TABLE "mail_folder_counts" ADD COLUMN     "removed" BOOLEAN NOT NULL DEFAULT false;
