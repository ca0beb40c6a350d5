-- A widget without settings has empty ones. The column takes NULL as long as the previous build may write it.
ALTER TABLE "chat_widgets" ALTER COLUMN "settings" SET DEFAULT '{}';

-- Their version advances: they are shown otherwise than before.
SELECT set_config('app.platform', 'on', true);
UPDATE "chat_widgets" SET "settings" = '{}' WHERE "settings" IS NULL;
