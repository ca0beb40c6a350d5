-- What a wall compares with is asked once for each statement, not once for each row, and the planner no longer supposes that next to no row
-- gets past it: it had read and sorted all rows of an office for one page of them.

ALTER POLICY "tenant" ON "tags" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "issues" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "own" ON "issues" USING ("user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
ALTER POLICY "own_lock" ON "issues" USING ("user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
ALTER POLICY "tenant" ON "issue_numbers" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "issue_counters" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "mail_folder_counts" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "users" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "customers" USING ("id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "client_links" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "own" ON "client_links" USING ("client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
ALTER POLICY "tenant" ON "feed_entries" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "own" ON "feed_entries" USING ("feed" = (SELECT 'client:' || NULLIF(current_setting('app.client_id', true), '')));
ALTER POLICY "platform" ON "event_tickets" USING ((SELECT current_setting('app.platform', true) = 'on'));
