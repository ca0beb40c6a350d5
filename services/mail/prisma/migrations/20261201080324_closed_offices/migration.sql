-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "closed" BOOLEAN NOT NULL DEFAULT false;
