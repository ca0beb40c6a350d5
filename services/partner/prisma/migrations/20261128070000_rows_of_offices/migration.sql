-- CreateIndex
CREATE INDEX "platform_tokens_customer_id_idx" ON "platform_tokens"("customer_id");

-- CreateIndex
CREATE INDEX "authorizations_customer_id_idx" ON "authorizations"("customer_id");
