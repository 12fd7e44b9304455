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
CREATE TABLE `customization_products` (
	`customization_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	PRIMARY KEY(`customization_id`, `product_id`),
	FOREIGN KEY (`customization_id`) REFERENCES `customizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customization_products_product` ON `customization_products` (`product_id`);
--> statement-breakpoint
CREATE TABLE `customizations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`price` integer NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`required` integer NOT NULL,
	`max_chars` integer NOT NULL,
	`values` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customizations_store` ON `customizations` (`store_id`);
--> statement-breakpoint
CREATE INDEX `customizations_name` ON `customizations` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `customizations_type` ON `customizations` (`store_id`,`type`);
--> statement-breakpoint
CREATE INDEX `customizations_price` ON `customizations` (`store_id`,`price`);
--> statement-breakpoint
CREATE INDEX `customizations_required` ON `customizations` (`store_id`,`required`);
--> statement-breakpoint
CREATE INDEX `customizations_created` ON `customizations` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `customizations_updated` ON `customizations` (`store_id`,`updated_at`);
--> statement-breakpoint
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
CREATE TABLE `product_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`comment_id` integer,
	`approved` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`comment_id`) REFERENCES `product_comments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `product_comments_store` ON `product_comments` (`store_id`);
--> statement-breakpoint
CREATE INDEX `product_comments_product` ON `product_comments` (`store_id`,`product_id`);
--> statement-breakpoint
CREATE INDEX `product_comments_product_key` ON `product_comments` (`product_id`);
--> statement-breakpoint
CREATE INDEX `product_comments_parent` ON `product_comments` (`store_id`,`comment_id`);
--> statement-breakpoint
CREATE INDEX `product_comments_parent_key` ON `product_comments` (`comment_id`);
--> statement-breakpoint
CREATE INDEX `product_comments_approved` ON `product_comments` (`store_id`,`approved`);
--> statement-breakpoint
CREATE INDEX `product_comments_name` ON `product_comments` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `product_comments_email` ON `product_comments` (`store_id`,`email_folded`);
--> statement-breakpoint
CREATE INDEX `product_comments_created` ON `product_comments` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `product_comments_updated` ON `product_comments` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `skus_store` ON `skus` (`store_id`);
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
--> statement-breakpoint
CREATE TRIGGER `customizations_total_insert` AFTER INSERT ON `customizations` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'customizations', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customizations_total_delete` AFTER DELETE ON `customizations` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'customizations', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
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
--> statement-breakpoint
CREATE TRIGGER `product_comments_total_insert` AFTER INSERT ON `product_comments` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'product_comments', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_total_delete` AFTER DELETE ON `product_comments` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'product_comments', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
