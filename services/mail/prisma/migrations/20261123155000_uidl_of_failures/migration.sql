-- AlterTable
ALTER TABLE "ingest_failures" ADD COLUMN     "uidl" TEXT;
