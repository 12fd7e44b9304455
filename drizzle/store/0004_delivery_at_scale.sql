CREATE TABLE `idempotency_keys` (
	`store_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`changes_before` integer NOT NULL,
	`created_at` integer NOT NULL,
	`answer` text,
	PRIMARY KEY(`store_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
ALTER TABLE `oauth_grants` ADD `forward_until` integer;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `lease_workers` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `lease_claimed` integer;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `lease_rest` integer DEFAULT 0 NOT NULL;
