CREATE TABLE `webhook_dead_hints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`at` integer NOT NULL,
	`error` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_dead_hints_at` ON `webhook_dead_hints` (`at`);
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
DROP INDEX `webhook_deliveries_due`;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`event_id`) WHERE "webhook_deliveries"."state" = 3;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`seq`,`event_id`) WHERE "webhook_deliveries"."state" = 0;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `secret_overlap_ms` integer DEFAULT 86400000 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `fail_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_failing` ON `webhook_endpoints` (`first_fail_at`) WHERE "webhook_endpoints"."first_fail_at" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_rotating` ON `webhook_endpoints` (`secret_previous_until`) WHERE "webhook_endpoints"."secret_previous_until" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_at` ON `webhook_attempts` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_snippets` ON `webhook_attempts` (`at`) WHERE "webhook_attempts"."response_body" is not null;
