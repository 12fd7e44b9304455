CREATE TABLE `oauth_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`grant_id` text NOT NULL,
	`store_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `oauth_events_client` ON `oauth_events` (`client_id`,`at`);
--> statement-breakpoint
CREATE INDEX `oauth_events_store` ON `oauth_events` (`store_id`,`at`);
--> statement-breakpoint
CREATE INDEX `oauth_events_at` ON `oauth_events` (`at`);
--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`scopes` integer NOT NULL,
	`challenge` text NOT NULL,
	`redirect_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`current_hash` text NOT NULL,
	`previous_hash` text,
	`sealed` text,
	`rotated_at` integer,
	`budget` integer DEFAULT 3 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`reason` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `oauth_grants_store` ON `oauth_grants` (`store_id`,`client_id`);
--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`);
