CREATE TABLE `collection_banners` (
	`collection_id` integer NOT NULL,
	`banner_id` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `banner_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`banner_id`) REFERENCES `banners`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `collection_banners_banner` ON `collection_banners` (`banner_id`);
--> statement-breakpoint
CREATE TABLE `collection_products` (
	`collection_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `product_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `collection_products_product` ON `collection_products` (`product_id`);
--> statement-breakpoint
CREATE TABLE `collection_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collection_id` integer NOT NULL,
	`side` text NOT NULL,
	`product_id` integer,
	`brand_id` integer,
	`category_id` integer,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `collection_rules_collection` ON `collection_rules` (`collection_id`);
--> statement-breakpoint
CREATE INDEX `collection_rules_product` ON `collection_rules` (`product_id`);
--> statement-breakpoint
CREATE INDEX `collection_rules_brand` ON `collection_rules` (`brand_id`);
--> statement-breakpoint
CREATE INDEX `collection_rules_category` ON `collection_rules` (`category_id`);
--> statement-breakpoint
CREATE TABLE `collections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`parent_id` integer,
	`active` integer NOT NULL,
	`show_banners` integer NOT NULL,
	`featured` integer NOT NULL,
	`home` integer NOT NULL,
	`is_promotional` integer NOT NULL,
	`restricted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`visible_products` integer NOT NULL,
	`seo_title` text,
	`seo_keywords` text,
	`seo_description` text,
	`start_at` integer,
	`end_at` integer,
	`stopwatch` text,
	`url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_slug` ON `collections` (`store_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `collections_store` ON `collections` (`store_id`);
--> statement-breakpoint
CREATE INDEX `collections_name` ON `collections` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `collections_parent` ON `collections` (`store_id`,`parent_id`);
--> statement-breakpoint
CREATE INDEX `collections_parent_key` ON `collections` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `collections_active` ON `collections` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `collections_featured` ON `collections` (`store_id`,`featured`);
--> statement-breakpoint
CREATE INDEX `collections_start` ON `collections` (`store_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `collections_end` ON `collections` (`store_id`,`end_at`);
--> statement-breakpoint
CREATE INDEX `collections_created` ON `collections` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `collections_updated` ON `collections` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `collections_total_insert` AFTER INSERT ON `collections` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'collections', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `collections_total_delete` AFTER DELETE ON `collections` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'collections', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
