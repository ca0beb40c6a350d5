-- AlterTable
ALTER TABLE "platform_tokens" ALTER COLUMN "customer_id" DROP NOT NULL;
