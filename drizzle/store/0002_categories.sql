CREATE TABLE `categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`parent_id` integer,
	`active` integer NOT NULL,
	`featured` integer NOT NULL,
	`home` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`price_factor` real NOT NULL,
	`order` integer NOT NULL,
	`sort_by` text NOT NULL,
	`seo_title` text,
	`seo_title_folded` text,
	`seo_keywords` text,
	`seo_keywords_folded` text,
	`seo_description` text,
	`seo_description_folded` text,
	`external_url` text,
	`canonical_url` text,
	`category_cover` text,
	`ml_category` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug` ON `categories` (`store_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `categories_store` ON `categories` (`store_id`);
--> statement-breakpoint
CREATE INDEX `categories_name` ON `categories` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `categories_order` ON `categories` (`store_id`,`order`);
--> statement-breakpoint
CREATE INDEX `categories_parent` ON `categories` (`store_id`,`parent_id`);
--> statement-breakpoint
CREATE INDEX `categories_parent_key` ON `categories` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `categories_active` ON `categories` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `categories_featured` ON `categories` (`store_id`,`featured`);
--> statement-breakpoint
CREATE INDEX `categories_created` ON `categories` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `categories_updated` ON `categories` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `category_banners` (
	`category_id` integer NOT NULL,
	`banner_id` integer NOT NULL,
	PRIMARY KEY(`category_id`, `banner_id`),
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`banner_id`) REFERENCES `banners`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `category_banners_banner` ON `category_banners` (`banner_id`);
--> statement-breakpoint
CREATE TABLE `category_products` (
	`category_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	PRIMARY KEY(`category_id`, `product_id`),
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `category_products_product` ON `category_products` (`product_id`);
--> statement-breakpoint
CREATE TRIGGER `categories_total_insert` AFTER INSERT ON `categories` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'categories', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `categories_total_delete` AFTER DELETE ON `categories` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'categories', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
