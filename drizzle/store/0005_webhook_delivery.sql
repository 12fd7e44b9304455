CREATE TABLE `webhook_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`endpoint_id` integer NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`user_id` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_audit_endpoint` ON `webhook_audit` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_audit_at` ON `webhook_audit` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_dead_hints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`at` integer NOT NULL,
	`error` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_dead_hints_at` ON `webhook_dead_hints` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`good_at` integer,
	`refusal` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_hosts_checked` ON `webhook_hosts` (`checked_at`);
--> statement-breakpoint
CREATE TABLE `webhook_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`endpoint_id` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_notices_store` ON `webhook_notices` (`store_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_notices_at` ON `webhook_notices` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_pings` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `webhook_deliveries_due`;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_unsent` ON `webhook_deliveries` (`endpoint_id`,`state`,`seq`) WHERE "webhook_deliveries"."state" >= 2;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`event_id`) WHERE "webhook_deliveries"."state" = 3;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`seq`,`event_id`) WHERE "webhook_deliveries"."state" = 0;
--> statement-breakpoint
PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE `__new_webhook_replays` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`filter` text NOT NULL,
	`cursor` integer NOT NULL,
	`last` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
INSERT INTO `__new_webhook_replays`("id", "endpoint_id", "filter", "cursor", "last", "done", "skipped", "total", "state", "created_at", "done_at") SELECT "id", "endpoint_id", "filter", "cursor", "last", "done", "skipped", "total", "state", "created_at", "done_at" FROM `webhook_replays`;
--> statement-breakpoint
DROP TABLE `webhook_replays`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_replays` RENAME TO `webhook_replays`;
--> statement-breakpoint
PRAGMA foreign_keys=ON;
--> statement-breakpoint
CREATE INDEX `webhook_replays_endpoint` ON `webhook_replays` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_done` ON `webhook_replays` (`done_at`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_running` ON `webhook_replays` (`id`) WHERE "webhook_replays"."state" = 0;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `secret_overlap_ms` integer DEFAULT 86400000 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `fail_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `release_from` integer;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_release` ON `webhook_endpoints` (`release_from`) WHERE "webhook_endpoints"."release_from" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_failing` ON `webhook_endpoints` (`first_fail_at`) WHERE "webhook_endpoints"."first_fail_at" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_rotating` ON `webhook_endpoints` (`secret_previous_until`) WHERE "webhook_endpoints"."secret_previous_until" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_at` ON `webhook_attempts` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_snippets` ON `webhook_attempts` (`at`) WHERE "webhook_attempts"."response_body" is not null;
