DROP INDEX `carts_due`;
--> statement-breakpoint
CREATE INDEX `carts_due` ON `carts` (`store_id`,`due_at`) WHERE "carts"."due_at" is not null;
--> statement-breakpoint
DROP INDEX `transactions_due`;
--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`store_id`,`due_at`) WHERE "transactions"."due_at" is not null;
