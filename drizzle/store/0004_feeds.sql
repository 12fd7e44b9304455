CREATE TABLE `feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`collection_id` integer,
	`service` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`url` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `feeds_store` ON `feeds` (`store_id`);
--> statement-breakpoint
CREATE INDEX `feeds_name` ON `feeds` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `feeds_service` ON `feeds` (`store_id`,`service`);
--> statement-breakpoint
CREATE INDEX `feeds_collection` ON `feeds` (`store_id`,`collection_id`);
--> statement-breakpoint
CREATE INDEX `feeds_collection_key` ON `feeds` (`collection_id`);
--> statement-breakpoint
CREATE INDEX `feeds_created` ON `feeds` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `feeds_updated` ON `feeds` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `feeds_total_insert` AFTER INSERT ON `feeds` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'feeds', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `feeds_total_delete` AFTER DELETE ON `feeds` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'feeds', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
