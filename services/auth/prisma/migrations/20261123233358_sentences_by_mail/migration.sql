-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "sentences_by_mail" BOOLEAN NOT NULL DEFAULT false;
