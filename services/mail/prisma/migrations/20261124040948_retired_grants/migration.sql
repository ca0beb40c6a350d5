-- AlterTable
ALTER TABLE "mail_grants" ALTER COLUMN "user_id" DROP NOT NULL;
