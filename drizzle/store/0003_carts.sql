ALTER TABLE `webhook_events` ADD `position` integer;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_position` ON `webhook_events` (`store_id`,`position`);
--> statement-breakpoint
CREATE INDEX `webhook_events_feed` ON `webhook_events` (`store_id`,`event`,`position`);
