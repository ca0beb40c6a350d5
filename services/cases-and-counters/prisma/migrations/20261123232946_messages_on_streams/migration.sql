-- AlterTable
ALTER TABLE "feed_entries" ADD COLUMN     "received_message_ids" BIGINT[],
ADD COLUMN     "sent_message_ids" BIGINT[];
