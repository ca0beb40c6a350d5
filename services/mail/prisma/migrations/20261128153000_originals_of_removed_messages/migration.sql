-- A message that was removed for good names no original any more, which the sweep has removed or removes.
SELECT set_config('app.platform', 'on', true);
UPDATE "mail_received_messages" SET "blob_key" = 'erased' WHERE "removed" AND "blob_key" <> 'erased';
