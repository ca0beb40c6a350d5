-- CreateIndex
CREATE INDEX "client_links_customer_id_id_idx" ON "client_links"("customer_id", "id");

-- CreateIndex
CREATE INDEX "client_links_customer_id_lastname_user_client_id_idx" ON "client_links"("customer_id", "lastname", "user_client_id");

-- CreateIndex
CREATE INDEX "client_links_customer_id_modified_id_idx" ON "client_links"("customer_id", "modified", "id");

-- CreateIndex
CREATE INDEX "client_links_user_client_id_id_idx" ON "client_links"("user_client_id", "id");

-- DropIndex
DROP INDEX "client_links_user_client_id_idx";
