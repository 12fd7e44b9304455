DROP INDEX `webhook_notices_store`;
--> statement-breakpoint
CREATE INDEX `webhook_notices_endpoint` ON `webhook_notices` (`endpoint_id`,`id`);
