CREATE TABLE `bundle_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`bundle_id` integer NOT NULL,
	`sku_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`price_type` text NOT NULL,
	`price` integer,
	`discount` real NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`bundle_id`) REFERENCES `bundles`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sku_id`) REFERENCES `skus`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bundle_items_sku` ON `bundle_items` (`bundle_id`,`sku_id`);
--> statement-breakpoint
CREATE INDEX `bundle_items_sku_key` ON `bundle_items` (`sku_id`);
--> statement-breakpoint
CREATE TABLE `bundles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`image_url` text NOT NULL,
	`active` integer NOT NULL,
	`modifiable` integer NOT NULL,
	`custom_shipping` integer NOT NULL,
	`shipping_type` text NOT NULL,
	`shipping_price` integer,
	`shipping_days` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bundles_store` ON `bundles` (`store_id`);
--> statement-breakpoint
CREATE INDEX `bundles_name` ON `bundles` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `bundles_active` ON `bundles` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `bundles_created` ON `bundles` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `bundles_updated` ON `bundles` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `bundles_total_insert` AFTER INSERT ON `bundles` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'bundles', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `bundles_total_delete` AFTER DELETE ON `bundles` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'bundles', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
