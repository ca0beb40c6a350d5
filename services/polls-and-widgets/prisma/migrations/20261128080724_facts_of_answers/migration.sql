-- AlterTable
ALTER TABLE "poll_answers" ADD COLUMN     "facts" JSONB;
