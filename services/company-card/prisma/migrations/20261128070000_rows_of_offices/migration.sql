-- CreateIndex
CREATE INDEX "published_company_cards_customer_id_idx" ON "published_company_cards"("customer_id");

-- CreateIndex
CREATE INDEX "company_card_logos_customer_id_idx" ON "company_card_logos"("customer_id");
