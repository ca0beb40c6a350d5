-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "language" TEXT NOT NULL DEFAULT 'pl',
ADD COLUMN     "voivodeship" INTEGER;
