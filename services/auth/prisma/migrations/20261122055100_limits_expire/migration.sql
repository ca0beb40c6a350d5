-- CreateIndex
CREATE INDEX "login_failures_expire_idx" ON "login_failures"("expire");

-- CreateIndex
CREATE INDEX "token_requests_expire_idx" ON "token_requests"("expire");
