CREATE TABLE `filter_values` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`filter_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`name_folded` text NOT NULL,
	`color` text,
	`image_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`filter_id`) REFERENCES `filters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `filter_values_name_key` ON `filter_values` (`filter_id`,`name_key`);
--> statement-breakpoint
CREATE INDEX `filter_values_store` ON `filter_values` (`store_id`);
--> statement-breakpoint
CREATE INDEX `filter_values_filter` ON `filter_values` (`filter_id`);
--> statement-breakpoint
CREATE INDEX `filter_values_name` ON `filter_values` (`filter_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `filter_values_created` ON `filter_values` (`filter_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `filter_values_updated` ON `filter_values` (`filter_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `filters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`name_folded` text NOT NULL,
	`searchable` integer NOT NULL,
	`navigation` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `filters_name_key` ON `filters` (`store_id`,`name_key`);
--> statement-breakpoint
CREATE INDEX `filters_store` ON `filters` (`store_id`);
--> statement-breakpoint
CREATE INDEX `filters_name` ON `filters` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `filters_created` ON `filters` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `filters_updated` ON `filters` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `filters_total_insert` AFTER INSERT ON `filters` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'filters', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `filters_total_delete` AFTER DELETE ON `filters` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'filters', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
