CREATE TABLE `banners` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`product_id` integer,
	`type` text NOT NULL,
	`active` integer NOT NULL,
	`home` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`slug` text NOT NULL,
	`ml_category` text,
	`link` text,
	`image_url` text NOT NULL,
	`mobile_image_url` text,
	`stopwatch` text,
	`start_at` integer,
	`end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `banners_slug` ON `banners` (`store_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `banners_store` ON `banners` (`store_id`);
--> statement-breakpoint
CREATE INDEX `banners_name` ON `banners` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `banners_active` ON `banners` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `banners_product` ON `banners` (`product_id`);
--> statement-breakpoint
CREATE INDEX `banners_start` ON `banners` (`store_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `banners_end` ON `banners` (`store_id`,`end_at`);
--> statement-breakpoint
CREATE INDEX `banners_created` ON `banners` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `banners_updated` ON `banners` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `banners_total_insert` AFTER INSERT ON `banners` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'banners', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `banners_total_delete` AFTER DELETE ON `banners` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'banners', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
