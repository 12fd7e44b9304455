ALTER TABLE `webhook_endpoints` ADD `lease_workers` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `lease_claimed` integer;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `lease_rest` integer DEFAULT 0 NOT NULL;
