-- What a wall compares with is asked once for each statement, not once for each row, and the planner no longer supposes that next to no row
-- gets past it: it had read and sorted all rows of an office for one page of them.

ALTER POLICY "tenant" ON "customers" USING ("id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "user_roles" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "user_role_permissions" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "users" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "user_permissions" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "tenant" ON "client_links" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "own" ON "client_links" USING ("user_client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
ALTER POLICY "platform" ON "clients" USING ((SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "own" ON "clients" USING ("id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
ALTER POLICY "linked" ON "clients" USING (EXISTS (
    SELECT FROM "client_links" link
    WHERE link."user_client_id" = "clients"."id" AND link."state" <> 'ended'
        AND link."customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint)));
ALTER POLICY "platform" ON "applications" USING ((SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "platform" ON "sessions" USING ((SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "platform" ON "refresh_tokens" USING ((SELECT current_setting('app.platform', true) = 'on'));
ALTER POLICY "platform" ON "signing_keys" USING ((SELECT current_setting('app.platform', true) = 'on'));
