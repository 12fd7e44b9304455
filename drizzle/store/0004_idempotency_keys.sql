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
