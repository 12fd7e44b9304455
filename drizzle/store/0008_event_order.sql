DROP INDEX `webhook_events_feed`;
--> statement-breakpoint
ALTER TABLE `webhook_events` DROP COLUMN `position`;
