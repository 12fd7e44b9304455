CREATE TABLE `event_budgets` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`refused_day` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_trials` (
	`store_id` integer NOT NULL,
	`host` text NOT NULL,
	`failures` integer NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`store_id`, `host`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_trials_next` ON `webhook_trials` (`next_at`);
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `proven_at` integer;
