CREATE TABLE `store_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`action` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`reason` text,
	`changes` text DEFAULT '{}' NOT NULL,
	`country` text,
	`network` text,
	`changes_before` integer
);
--> statement-breakpoint
CREATE INDEX `store_audit_store` ON `store_audit` (`store_id`,`at`);
--> statement-breakpoint
CREATE INDEX `store_audit_at` ON `store_audit` (`at`);
--> statement-breakpoint
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
CREATE TABLE `cart_items` (
	`id` integer NOT NULL,
	`store_id` integer NOT NULL,
	`cart_id` integer NOT NULL,
	`sku_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`cart_id`, `sku_id`),
	FOREIGN KEY (`cart_id`) REFERENCES `carts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sku_id`) REFERENCES `skus`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cart_items_sku_key` ON `cart_items` (`sku_id`);
--> statement-breakpoint
CREATE TABLE `carts` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`token` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`customer_id` integer,
	`name` text,
	`name_folded` text,
	`email` text,
	`email_folded` text,
	`email_key` text,
	`phone` text,
	`shipment_service` text,
	`value_shipment` integer NOT NULL,
	`reminders` integer DEFAULT 0 NOT NULL,
	`reminded_at` integer,
	`abandoned_at` integer,
	`edited_at` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `carts_token` ON `carts` (`store_id`,`token`);
--> statement-breakpoint
CREATE INDEX `carts_due` ON `carts` (`store_id`,`due_at`) WHERE "carts"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `carts_store` ON `carts` (`store_id`);
--> statement-breakpoint
CREATE INDEX `carts_status` ON `carts` (`store_id`,`status`);
--> statement-breakpoint
CREATE INDEX `carts_customer` ON `carts` (`customer_id`);
--> statement-breakpoint
CREATE INDEX `carts_created` ON `carts` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `carts_updated` ON `carts` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `brands` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`name_folded` text NOT NULL,
	`active` integer NOT NULL,
	`featured` integer NOT NULL,
	`description` text,
	`logo_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brands_name_key` ON `brands` (`store_id`,`name_key`);
--> statement-breakpoint
CREATE INDEX `brands_store` ON `brands` (`store_id`);
--> statement-breakpoint
CREATE INDEX `brands_name` ON `brands` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `brands_active` ON `brands` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `brands_featured` ON `brands` (`store_id`,`featured`);
--> statement-breakpoint
CREATE INDEX `brands_created` ON `brands` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `brands_updated` ON `brands` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `product_images` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`alt` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_images_url` ON `product_images` (`product_id`,`url`);
--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`active` integer NOT NULL,
	`searchable` integer NOT NULL,
	`simple` integer NOT NULL,
	`is_digital` integer NOT NULL,
	`custom_shipping` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`slug` text NOT NULL,
	`sku` text,
	`sku_folded` text,
	`erp_id` text,
	`ncm` text,
	`description` text,
	`brand_id` integer,
	`seller_id` integer,
	`affiliation_id` integer,
	`priority` integer NOT NULL,
	`warranty` integer NOT NULL,
	`rating` real DEFAULT 0 NOT NULL,
	`relevance` real,
	`gift_value` integer NOT NULL,
	`shipping_price` integer NOT NULL,
	`redirect_url_card` text,
	`redirect_url_billet` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug` ON `products` (`store_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `products_store` ON `products` (`store_id`);
--> statement-breakpoint
CREATE INDEX `products_name` ON `products` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `products_sku` ON `products` (`store_id`,`sku_folded`);
--> statement-breakpoint
CREATE INDEX `products_brand_key` ON `products` (`brand_id`);
--> statement-breakpoint
CREATE INDEX `products_created` ON `products` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `products_updated` ON `products` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `skus` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`sku` text NOT NULL,
	`sku_key` text NOT NULL,
	`sku_folded` text NOT NULL,
	`title` text,
	`barcode` text,
	`erp_id` text,
	`blocked_sale` integer NOT NULL,
	`quantity_managed` integer NOT NULL,
	`price_cost` integer NOT NULL,
	`price_sale` integer NOT NULL,
	`price_discount` integer,
	`weight` real NOT NULL,
	`height` real NOT NULL,
	`width` real NOT NULL,
	`length` real NOT NULL,
	`availability` integer NOT NULL,
	`variations` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `skus_sku` ON `skus` (`store_id`,`sku_key`);
--> statement-breakpoint
CREATE INDEX `skus_store` ON `skus` (`store_id`);
--> statement-breakpoint
CREATE INDEX `skus_product` ON `skus` (`product_id`);
--> statement-breakpoint
CREATE TABLE `stocks` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`sku_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`stock_id` integer DEFAULT 1 NOT NULL,
	`quantity` integer NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`min_quantity` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`sku_id`) REFERENCES `skus`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "stocks_never_oversold" CHECK("stocks"."reserved" between 0 and "stocks"."quantity")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stocks_place` ON `stocks` (`sku_id`,`stock_id`);
--> statement-breakpoint
CREATE INDEX `stocks_low` ON `stocks` (`store_id`,(quantity - reserved)) WHERE quantity - reserved < 100;
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
CREATE TABLE `category_filter_values` (
	`category_id` integer NOT NULL,
	`filter_value_id` integer NOT NULL,
	PRIMARY KEY(`category_id`, `filter_value_id`),
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`filter_value_id`) REFERENCES `filter_values`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `category_filter_values_value` ON `category_filter_values` (`filter_value_id`);
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
CREATE TABLE `addresses` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`receiver` text,
	`zipcode` text,
	`street` text,
	`number` text,
	`complement` text,
	`neighborhood` text,
	`city` text,
	`city_folded` text,
	`state` text NOT NULL,
	`state_folded` text NOT NULL,
	`country` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `addresses_customer` ON `addresses` (`store_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `addresses_customer_key` ON `addresses` (`customer_id`);
--> statement-breakpoint
CREATE INDEX `addresses_city` ON `addresses` (`store_id`,`city_folded`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `addresses_state` ON `addresses` (`store_id`,`state_folded`,`customer_id`);
--> statement-breakpoint
CREATE TABLE `customers` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`email` text,
	`email_key` text,
	`email_folded` text,
	`first_name` text,
	`first_name_folded` text,
	`last_name` text,
	`last_name_folded` text,
	`full_name` text GENERATED ALWAYS AS (first_name_folded || coalesce(' ' || last_name_folded, '')) VIRTUAL,
	`type` text NOT NULL,
	`cpf` text,
	`cnpj` text,
	`phone` text,
	`anonymized` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email_key` ON `customers` (`store_id`,`email_key`);
--> statement-breakpoint
CREATE INDEX `customers_store` ON `customers` (`store_id`);
--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`store_id`,`email_folded`);
--> statement-breakpoint
CREATE INDEX `customers_first_name` ON `customers` (`store_id`,`first_name_folded`);
--> statement-breakpoint
CREATE INDEX `customers_last_name` ON `customers` (`store_id`,`last_name_folded`);
--> statement-breakpoint
CREATE INDEX `customers_cpf` ON `customers` (`store_id`,`cpf`);
--> statement-breakpoint
CREATE INDEX `customers_cnpj` ON `customers` (`store_id`,`cnpj`);
--> statement-breakpoint
CREATE INDEX `customers_phone` ON `customers` (`store_id`,`phone`);
--> statement-breakpoint
CREATE INDEX `customers_created` ON `customers` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `customers_updated` ON `customers` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `flag_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`flag_id` integer NOT NULL,
	`list` text NOT NULL,
	`product_id` integer,
	`brand_id` integer,
	`collection_id` integer,
	`category_id` integer,
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_rules_list` ON `flag_rules` (`flag_id`,`list`);
--> statement-breakpoint
CREATE INDEX `flag_rules_product` ON `flag_rules` (`product_id`);
--> statement-breakpoint
CREATE INDEX `flag_rules_brand` ON `flag_rules` (`brand_id`);
--> statement-breakpoint
CREATE INDEX `flag_rules_collection` ON `flag_rules` (`collection_id`);
--> statement-breakpoint
CREATE INDEX `flag_rules_category` ON `flag_rules` (`category_id`);
--> statement-breakpoint
CREATE TABLE `flags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`active` integer NOT NULL,
	`is_visible` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`slug` text NOT NULL,
	`text_color` text NOT NULL,
	`background_color` text NOT NULL,
	`image_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flags_slug` ON `flags` (`store_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `flags_store` ON `flags` (`store_id`);
--> statement-breakpoint
CREATE INDEX `flags_name` ON `flags` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `flags_active` ON `flags` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `flags_created` ON `flags` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `flags_updated` ON `flags` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `oauth_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`grant_id` text NOT NULL,
	`store_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `oauth_events_client` ON `oauth_events` (`client_id`,`at`);
--> statement-breakpoint
CREATE INDEX `oauth_events_store` ON `oauth_events` (`store_id`,`at`);
--> statement-breakpoint
CREATE INDEX `oauth_events_at` ON `oauth_events` (`at`);
--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`store_alias` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`scopes` integer NOT NULL,
	`resource` text,
	`host` text,
	`challenge` text NOT NULL,
	`redirect_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`current_hash` text NOT NULL,
	`previous_hash` text,
	`encrypted_successor` text,
	`rotated_at` integer,
	`late_retries_left` integer DEFAULT 3 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`fast_forward_until` integer,
	`reason` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `oauth_grants_store` ON `oauth_grants` (`store_id`,`client_id`);
--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`,`store_id`);
--> statement-breakpoint
CREATE TABLE `event_budgets` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`refused_day` integer,
	`turn` integer DEFAULT 0 NOT NULL,
	`turn_bytes` integer DEFAULT 0 NOT NULL,
	`budget` integer,
	`noticed` integer DEFAULT 0 NOT NULL,
	`archived_to` text DEFAULT '' NOT NULL,
	`archive_at` integer DEFAULT 0
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_budgets_archive` ON `event_budgets` (`archive_at`) WHERE "event_budgets"."archive_at" is not null;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`store_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`changes_before` integer NOT NULL,
	`created_at` integer NOT NULL,
	`response` text,
	PRIMARY KEY(`store_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
CREATE TABLE `schema_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sequences` (
	`kind` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `test_clocks` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`advanced_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `timer_bounds` (
	`kind` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `totals` (
	`store_id` integer NOT NULL,
	`kind` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`store_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `incoming_moves` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`move_id` text NOT NULL,
	`from_shard` integer NOT NULL,
	`position` integer DEFAULT -1 NOT NULL,
	`cursor` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outgoing_moves` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`move_id` text NOT NULL,
	`to_shard` integer NOT NULL,
	`state` integer NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`cursor` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	`started_at` integer NOT NULL,
	`fenced_at` integer,
	`withdrawn_to` integer DEFAULT 0 NOT NULL,
	`since` integer NOT NULL,
	`reason` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `shard_identity` (
	`id` integer PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`unconfirmed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `store_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `store_notices_key_unique` ON `store_notices` (`key`);
--> statement-breakpoint
CREATE INDEX `store_notices_store` ON `store_notices` (`store_id`);
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`number` integer NOT NULL,
	`series` integer NOT NULL,
	`access_key` text NOT NULL,
	`access_key_key` text NOT NULL,
	`value` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`url` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_access_key` ON `invoices` (`store_id`,`access_key_key`);
--> statement-breakpoint
CREATE INDEX `invoices_order` ON `invoices` (`order_id`);
--> statement-breakpoint
CREATE TABLE `order_addresses` (
	`id` integer NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`receiver` text,
	`zipcode` text,
	`street` text,
	`number` text,
	`complement` text,
	`neighborhood` text,
	`city` text,
	`state` text,
	`country` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_items` (
	`id` integer NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`sku_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`stock_row_id` integer,
	`sku` text NOT NULL,
	`name` text NOT NULL,
	`title` text,
	`quantity` integer NOT NULL,
	`price` integer NOT NULL,
	`value_total` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `sku_id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_numbers` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_statuses` (
	`id` integer NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`number` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`cart_id` integer,
	`cart_token` text,
	`status` text NOT NULL,
	`status_id` integer GENERATED ALWAYS AS (case status when 'waiting_payment' then 3 when 'paid' then 4 when 'handling_products' then 5 when 'on_carriage' then 6 when 'delivered' then 7 when 'cancelled' then 8 when 'refused' then 9 when 'invoiced' then 10 when 'shipment_exception' then 11 when 'ready_for_shipping' then 12 end) VIRTUAL NOT NULL,
	`value_products` integer NOT NULL,
	`value_shipment` integer NOT NULL,
	`value_discount` integer NOT NULL,
	`value_tax` integer NOT NULL,
	`value_total` integer NOT NULL,
	`buyer_value_total` integer NOT NULL,
	`shipment_service` text,
	`track_code` text,
	`track_code_folded` text,
	`track_url` text,
	`date_delivery` integer,
	`utm_source` text,
	`utm_medium` text,
	`utm_campaign` text,
	`utm_term` text,
	`utm_content` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`store_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_cart` ON `orders` (`store_id`,`cart_id`) WHERE "orders"."cart_id" is not null;
--> statement-breakpoint
CREATE INDEX `orders_store` ON `orders` (`store_id`);
--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`store_id`,`status`);
--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` (`store_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `orders_updated` ON `orders` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `affiliations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`active` integer NOT NULL,
	`backup` integer NOT NULL,
	`auto_capture` integer NOT NULL,
	`capture_hour_delay` integer NOT NULL,
	`force_minimum_tax` integer NOT NULL,
	`status` text NOT NULL,
	`auth_type` text NOT NULL,
	`statement_descriptor` text,
	`gateways` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `affiliations_store` ON `affiliations` (`store_id`);
--> statement-breakpoint
CREATE TABLE `payment_configurations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`payment_id` integer NOT NULL,
	`affiliation_id` integer,
	`active` integer DEFAULT false NOT NULL,
	`default_display` integer DEFAULT false NOT NULL,
	`spread` integer DEFAULT false NOT NULL,
	`ignore_promotions` integer DEFAULT false NOT NULL,
	`accumulate_discount` integer DEFAULT false NOT NULL,
	`percent_discount` real DEFAULT 0 NOT NULL,
	`min_installment_value` integer DEFAULT 0 NOT NULL,
	`max_installments_without_tax` integer DEFAULT 1 NOT NULL,
	`billet_expire_days` integer DEFAULT 3 NOT NULL,
	`days_to_cancel_unpaid_billets` integer DEFAULT 5 NOT NULL,
	`hours_to_cancel_unpaid_pix` integer DEFAULT 24 NOT NULL,
	`billet_instructions` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`affiliation_id`) REFERENCES `affiliations`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_configurations_payment` ON `payment_configurations` (`payment_id`);
--> statement-breakpoint
CREATE INDEX `payment_configurations_store` ON `payment_configurations` (`store_id`);
--> statement-breakpoint
CREATE INDEX `payment_configurations_affiliation` ON `payment_configurations` (`affiliation_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_configurations_default` ON `payment_configurations` (`store_id`) WHERE "payment_configurations"."default_display" = 1;
--> statement-breakpoint
CREATE TABLE `payment_installments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`payment_id` integer NOT NULL,
	`installment` integer NOT NULL,
	`tax` real NOT NULL,
	`percent_discount` real NOT NULL,
	`start_at` integer,
	`end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_installments_number` ON `payment_installments` (`payment_id`,`installment`);
--> statement-breakpoint
CREATE TABLE `payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`alias` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`icon_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_alias` ON `payments` (`store_id`,`alias`);
--> statement-breakpoint
CREATE INDEX `payments_store` ON `payments` (`store_id`);
--> statement-breakpoint
CREATE INDEX `payments_name` ON `payments` (`store_id`,`name_folded`);
--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `placements` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`to_shard` integer,
	`epoch` integer DEFAULT 0 NOT NULL,
	`facts` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`works` integer NOT NULL
) WITHOUT ROWID;
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
CREATE TABLE `email_configurations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`show_order_number` integer DEFAULT true NOT NULL,
	`order_number` text DEFAULT '' NOT NULL,
	`resume_values` text DEFAULT '' NOT NULL,
	`product_review_days` integer DEFAULT 7 NOT NULL,
	`host` text NOT NULL,
	`port` integer NOT NULL,
	`username` text NOT NULL,
	`password_sealed` text NOT NULL,
	`encryption` text NOT NULL,
	`from` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_configurations_store` ON `email_configurations` (`store_id`);
--> statement-breakpoint
CREATE TABLE `store_settings` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`cart_idle_minutes` integer NOT NULL,
	CONSTRAINT "store_settings_idle" CHECK("store_settings"."cart_idle_minutes" between 1 and 43200)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`payment_id` integer NOT NULL,
	`affiliation_id` integer,
	`marketplace_id` integer,
	`marketplace_account_id` integer,
	`gateway_transaction_id` integer,
	`gateway_order_id` integer,
	`gateway_billet_id` integer,
	`gateway_authorization_code` text,
	`amount` integer NOT NULL,
	`buyer_amount` integer NOT NULL,
	`installments` integer NOT NULL,
	`installment_value` integer NOT NULL,
	`buyer_installment_value` integer NOT NULL,
	`status` text NOT NULL,
	`error_message` text,
	`error_code` integer,
	`bank_name` text,
	`bank_alias` text,
	`truncated_card` text,
	`holder_name` text,
	`holder_document` text,
	`billet_url` text,
	`billet_barcode` text,
	`billet_date` text,
	`billet_our_number` text,
	`billet_document_number` text,
	`billet_whatsapp_link` text,
	`antifraud_sale_id` integer,
	`antifraud_status` text,
	`antifraud_score` text,
	`sent_to_antifraud` integer NOT NULL,
	`total_logs` integer NOT NULL,
	`capture_date` integer,
	`authorized_at` integer,
	`captured_at` integer,
	`cancelled_at` integer,
	`due_at` integer,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`store_id`,`due_at`) WHERE "transactions"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `transactions_order` ON `transactions` (`order_id`);
--> statement-breakpoint
CREATE INDEX `transactions_store` ON `transactions` (`store_id`);
--> statement-breakpoint
CREATE INDEX `transactions_status` ON `transactions` (`store_id`,`status`);
--> statement-breakpoint
CREATE INDEX `transactions_created` ON `transactions` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `transactions_updated` ON `transactions` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `transfer_errors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`transfer_id` integer NOT NULL,
	`line` integer NOT NULL,
	`from_line` integer NOT NULL,
	`to_line` integer NOT NULL,
	`field` text NOT NULL,
	`sent` text,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`transfer_id`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `transfer_errors_transfer` ON `transfer_errors` (`transfer_id`);
--> statement-breakpoint
CREATE TABLE `transfer_steps` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`generation` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`file` text NOT NULL,
	`bytes` integer NOT NULL,
	`parts` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`line` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`stocks_set` integer DEFAULT 0 NOT NULL,
	`stocks_left` integer DEFAULT 0 NOT NULL,
	`errors_listed` integer DEFAULT 0 NOT NULL,
	`errors_left_out` integer DEFAULT 0 NOT NULL,
	`with_stock` integer DEFAULT false NOT NULL,
	`product_events` integer DEFAULT true NOT NULL,
	`from_table` integer DEFAULT false NOT NULL,
	`known_skus` text DEFAULT 'refuse' NOT NULL,
	`stock` text DEFAULT 'keep' NOT NULL,
	`unused_columns` text DEFAULT '[]' NOT NULL,
	`actor` text NOT NULL,
	`user_id` integer NOT NULL,
	`client_id` text,
	`started_at` integer,
	`due_at` integer,
	`finished_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `transfers_store` ON `transfers` (`store_id`);
--> statement-breakpoint
CREATE INDEX `transfers_open` ON `transfers` (`store_id`,`kind`) WHERE "transfers"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `transfers_due` ON `transfers` (`due_at`) WHERE "transfers"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `transfers_finished` ON `transfers` (`finished_at`) WHERE "transfers"."finished_at" is not null;
--> statement-breakpoint
CREATE TABLE `long_changes` (
	`name` text PRIMARY KEY NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`position` integer,
	`rows` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `resealings` (
	`prefix` text PRIMARY KEY NOT NULL,
	`endpoint_id` integer DEFAULT 0 NOT NULL,
	`email_id` integer DEFAULT 0 NOT NULL,
	`pass_began_at` integer NOT NULL,
	`resealed` integer DEFAULT 0 NOT NULL,
	`unreadable` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`done_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `store_loads` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`ms` real NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `withdrawal_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`done_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_trials` (
	`store_id` integer NOT NULL,
	`host` text NOT NULL,
	`failures` integer NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`store_id`, `host`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_trials_next` ON `webhook_trials` (`next_at`);
--> statement-breakpoint
CREATE TABLE `webhook_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`passed_at` integer,
	`rejection` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_hosts_checked` ON `webhook_hosts` (`checked_at`);
--> statement-breakpoint
CREATE TABLE `webhook_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`endpoint_id` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_notices_endpoint` ON `webhook_notices` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_notices_at` ON `webhook_notices` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_pings` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`filter` text NOT NULL,
	`cursor` integer NOT NULL,
	`last` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_replays_endpoint` ON `webhook_replays` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_done` ON `webhook_replays` (`done_at`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_running` ON `webhook_replays` (`id`) WHERE "webhook_replays"."state" = 0;
--> statement-breakpoint
CREATE TABLE `webhook_archives` (
	`store_id` integer NOT NULL,
	`key` text NOT NULL,
	`last_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`store_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_archives_expires` ON `webhook_archives` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`endpoint_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	`response_headers` text,
	`response_body` text,
	`key_id` text,
	`host` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `seq`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_at` ON `webhook_attempts` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_snippets` ON `webhook_attempts` (`at`) WHERE "webhook_attempts"."response_body" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`endpoint_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`event_id` text NOT NULL,
	`state` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`counted_failures` integer DEFAULT 0 NOT NULL,
	`trigger` text DEFAULT 'event' NOT NULL,
	`replay_of` integer,
	`response_status` integer,
	`error` text,
	`duration_ms` integer,
	`created_at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`endpoint_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`seq`,`event_id`) WHERE "webhook_deliveries"."state" = 0;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_unsent` ON `webhook_deliveries` (`endpoint_id`,`state`,`seq`) WHERE "webhook_deliveries"."state" >= 2;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`event_id`) WHERE "webhook_deliveries"."state" = 3;
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`client_id` text,
	`url` text NOT NULL,
	`url_folded` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`status` integer DEFAULT 0 NOT NULL,
	`active` integer GENERATED ALWAYS AS (status = 0) VIRTUAL NOT NULL,
	`api_version` text DEFAULT '2.0' NOT NULL,
	`secret_current` text NOT NULL,
	`secret_previous` text,
	`secret_previous_until` integer,
	`secret_mode` integer DEFAULT 0 NOT NULL,
	`secret_overlap_ms` integer DEFAULT 86400000 NOT NULL,
	`last_seq` integer DEFAULT 0 NOT NULL,
	`epoch` integer DEFAULT 1 NOT NULL,
	`next_attempt_at` integer,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`lease_generation` integer DEFAULT 0 NOT NULL,
	`lease_workers` integer DEFAULT 0 NOT NULL,
	`lease_claimed_seq` integer,
	`lease_backoff_until` integer DEFAULT 0 NOT NULL,
	`consecutive_failures` integer DEFAULT 0 NOT NULL,
	`failure_count` integer DEFAULT 0 NOT NULL,
	`first_failure_at` integer,
	`last_success_at` integer,
	`proven_at` integer,
	`warning_level` integer DEFAULT 0 NOT NULL,
	`latency_ms` integer DEFAULT 0 NOT NULL,
	`ordered` integer DEFAULT false NOT NULL,
	`concurrency` integer DEFAULT 2 NOT NULL,
	`timeout_ms` integer DEFAULT 5000 NOT NULL,
	`resume_from_seq` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_store` ON `webhook_endpoints` (`store_id`);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_slot` ON `webhook_endpoints` ((store_id % 360));
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_backoff` ON `webhook_endpoints` (`next_attempt_at`) WHERE "webhook_endpoints"."consecutive_failures" > 0;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_inactive` ON `webhook_endpoints` (`next_attempt_at`) WHERE "webhook_endpoints"."next_attempt_at" is not null and "webhook_endpoints"."status" <> 0;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_resume` ON `webhook_endpoints` (`resume_from_seq`) WHERE "webhook_endpoints"."resume_from_seq" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_failing` ON `webhook_endpoints` (`first_failure_at`) WHERE "webhook_endpoints"."first_failure_at" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_rotating` ON `webhook_endpoints` (`secret_previous_until`) WHERE "webhook_endpoints"."secret_previous_until" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`event` text NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`archive_offset` integer,
	`archive_bytes` integer,
	`changed` text,
	`body` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_idempotency` ON `webhook_events` (`store_id`,`idempotency_key`) WHERE "webhook_events"."idempotency_key" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`store_id` integer NOT NULL,
	`event` text NOT NULL,
	`endpoint_id` integer NOT NULL,
	PRIMARY KEY(`store_id`, `event`, `endpoint_id`),
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_endpoint` ON `webhook_subscriptions` (`endpoint_id`);
--> statement-breakpoint
CREATE TRIGGER `banners_total_insert` AFTER INSERT ON `banners` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'banners', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `banners_total_delete` AFTER DELETE ON `banners` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'banners', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `brands_total_insert` AFTER INSERT ON `brands` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'brands', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `brands_total_delete` AFTER DELETE ON `brands` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'brands', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `bundles_total_insert` AFTER INSERT ON `bundles` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'bundles', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `bundles_total_delete` AFTER DELETE ON `bundles` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'bundles', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `carts_total_insert` AFTER INSERT ON `carts` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'carts', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `carts_total_delete` AFTER DELETE ON `carts` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'carts', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `categories_total_insert` AFTER INSERT ON `categories` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'categories', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `categories_total_delete` AFTER DELETE ON `categories` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'categories', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `collections_total_insert` AFTER INSERT ON `collections` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'collections', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `collections_total_delete` AFTER DELETE ON `collections` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'collections', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `customers_total_insert` AFTER INSERT ON `customers` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'customers', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `customers_total_delete` AFTER DELETE ON `customers` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'customers', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `customizations_total_insert` AFTER INSERT ON `customizations` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'customizations', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `customizations_total_delete` AFTER DELETE ON `customizations` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'customizations', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `feeds_total_insert` AFTER INSERT ON `feeds` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'feeds', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `feeds_total_delete` AFTER DELETE ON `feeds` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'feeds', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `filters_total_insert` AFTER INSERT ON `filters` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'filters', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `filters_total_delete` AFTER DELETE ON `filters` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'filters', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `flags_total_insert` AFTER INSERT ON `flags` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'flags', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `flags_total_delete` AFTER DELETE ON `flags` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'flags', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `orders_total_insert` AFTER INSERT ON `orders` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'orders', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `orders_total_delete` AFTER DELETE ON `orders` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'orders', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_total_insert` AFTER INSERT ON `product_comments` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'product_comments', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_total_delete` AFTER DELETE ON `product_comments` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'product_comments', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `products_total_insert` AFTER INSERT ON `products` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'products', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `products_total_delete` AFTER DELETE ON `products` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'products', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `transactions_total_insert` AFTER INSERT ON `transactions` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'transactions', 1) ON CONFLICT DO UPDATE SET `total` = `total` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `transactions_total_delete` AFTER DELETE ON `transactions` BEGIN INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'transactions', 1) ON CONFLICT DO UPDATE SET `total` = `total` - 1; END;
--> statement-breakpoint
CREATE TRIGGER `carts_timer_insert` AFTER INSERT ON `carts` WHEN NEW.`due_at` IS NOT NULL BEGIN UPDATE `timer_bounds` SET `due_at` = NEW.`due_at` WHERE `kind` = 'carts' AND `due_at` > NEW.`due_at`; END;
--> statement-breakpoint
CREATE TRIGGER `carts_timer_update` AFTER UPDATE OF `due_at` ON `carts` WHEN NEW.`due_at` IS NOT NULL BEGIN UPDATE `timer_bounds` SET `due_at` = NEW.`due_at` WHERE `kind` = 'carts' AND `due_at` > NEW.`due_at`; END;
--> statement-breakpoint
CREATE TRIGGER `transactions_timer_insert` AFTER INSERT ON `transactions` WHEN NEW.`due_at` IS NOT NULL BEGIN UPDATE `timer_bounds` SET `due_at` = NEW.`due_at` WHERE `kind` = 'transactions' AND `due_at` > NEW.`due_at`; END;
--> statement-breakpoint
CREATE TRIGGER `transactions_timer_update` AFTER UPDATE OF `due_at` ON `transactions` WHEN NEW.`due_at` IS NOT NULL BEGIN UPDATE `timer_bounds` SET `due_at` = NEW.`due_at` WHERE `kind` = 'transactions' AND `due_at` > NEW.`due_at`; END;
--> statement-breakpoint
CREATE TRIGGER `event_budgets_archive_due` AFTER UPDATE OF `day` ON `event_budgets` WHEN NEW.`archive_at` IS NULL BEGIN UPDATE `event_budgets` SET `archive_at` = NEW.`day` * 86400000 WHERE `store_id` = NEW.`store_id`; END;
--> statement-breakpoint
CREATE TRIGGER `store_audit_noticed` AFTER INSERT ON `store_audit` WHEN NEW.`action` IN ('app.connected', 'app.disconnected') AND EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0) BEGIN INSERT INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) VALUES (NEW.`store_id`, 'audit-' || NEW.`id`, replace(NEW.`action`, '.', '_'), json_object('clientId', NEW.`target_id`), NEW.`at`); END;
--> statement-breakpoint
CREATE TRIGGER `webhook_notices_noticed` AFTER INSERT ON `webhook_notices` WHEN NEW.`kind` IN ('failing_24h', 'failing_72h', 'disabled', 'gone') AND EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0) BEGIN INSERT INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) VALUES (NEW.`store_id`, 'webhook-' || NEW.`id`, iif(NEW.`kind` LIKE 'failing%', 'webhook_failing', 'webhook_switched_off'), json_object('url', (SELECT `url` FROM `webhook_endpoints` WHERE `id` = NEW.`endpoint_id`), 'hours', iif(NEW.`kind` = 'failing_72h', 72, 24)), NEW.`at`); END;
--> statement-breakpoint
CREATE TRIGGER `event_budgets_noticed` AFTER UPDATE OF `noticed` ON `event_budgets` WHEN NEW.`noticed` > OLD.`noticed` AND EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0) BEGIN INSERT OR IGNORE INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) VALUES (NEW.`store_id`, 'budget-' || NEW.`store_id` || '-' || NEW.`noticed`, 'event_budget', json_object('percent', NEW.`noticed` % 100, 'budget', NEW.`budget`), NEW.`day` * 86400000); END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_added` AFTER INSERT ON `webhook_endpoints` WHEN NEW.`url` <> '' AND EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0) BEGIN INSERT OR IGNORE INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) VALUES (NEW.`store_id`, 'destination-' || NEW.`id` || '-' || NEW.`updated_at`, 'webhook_destination', json_object('url', NEW.`url`), NEW.`updated_at`); END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_moved` AFTER UPDATE OF `url` ON `webhook_endpoints` WHEN NEW.`url` IS NOT OLD.`url` AND NEW.`url` <> '' AND EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0) BEGIN INSERT OR IGNORE INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) VALUES (NEW.`store_id`, 'destination-' || NEW.`id` || '-' || NEW.`updated_at`, 'webhook_destination', json_object('url', NEW.`url`), NEW.`updated_at`); END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `text_index` USING fts5(trigrams, content='', detail=none, tokenize='ascii');
--> statement-breakpoint
INSERT INTO `text_index` (`text_index`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `products_text_insert` AFTER INSERT ON `products` BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 0, concat_ws(' ', (SELECT group_concat('n0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('s0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`slug`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`slug`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('k0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`sku_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`sku_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `products_text_update` AFTER UPDATE OF `name_folded`, `slug`, `sku_folded` ON `products` WHEN NEW.`name_folded` IS NOT OLD.`name_folded` OR NEW.`slug` IS NOT OLD.`slug` OR NEW.`sku_folded` IS NOT OLD.`sku_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 0, concat_ws(' ', (SELECT group_concat('n0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('s0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`slug`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`slug`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('k0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`sku_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`sku_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 0, concat_ws(' ', (SELECT group_concat('n0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('s0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`slug`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`slug`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('k0s' || NEW.`store_id` || 'x' || hex(substr(NEW.`sku_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`sku_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `products_text_delete` AFTER DELETE ON `products` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 0, concat_ws(' ', (SELECT group_concat('n0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('s0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`slug`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`slug`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('k0s' || OLD.`store_id` || 'x' || hex(substr(OLD.`sku_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`sku_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `brands_text_insert` AFTER INSERT ON `brands` BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 1, concat_ws(' ', (SELECT group_concat('n1s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `brands_text_update` AFTER UPDATE OF `name_folded` ON `brands` WHEN NEW.`name_folded` IS NOT OLD.`name_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 1, concat_ws(' ', (SELECT group_concat('n1s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 1, concat_ws(' ', (SELECT group_concat('n1s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `brands_text_delete` AFTER DELETE ON `brands` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 1, concat_ws(' ', (SELECT group_concat('n1s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `customers_text_insert` AFTER INSERT ON `customers` BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 2, concat_ws(' ', (SELECT group_concat('n2s' || NEW.`store_id` || 'x' || hex(substr(NEW.`full_name`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`full_name`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e2s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `customers_text_update` AFTER UPDATE OF `first_name_folded`, `last_name_folded`, `email_folded` ON `customers` WHEN NEW.`first_name_folded` IS NOT OLD.`first_name_folded` OR NEW.`last_name_folded` IS NOT OLD.`last_name_folded` OR NEW.`email_folded` IS NOT OLD.`email_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 2, concat_ws(' ', (SELECT group_concat('n2s' || OLD.`store_id` || 'x' || hex(substr(OLD.`full_name`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`full_name`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e2s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 2, concat_ws(' ', (SELECT group_concat('n2s' || NEW.`store_id` || 'x' || hex(substr(NEW.`full_name`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`full_name`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e2s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `customers_text_delete` AFTER DELETE ON `customers` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 2, concat_ws(' ', (SELECT group_concat('n2s' || OLD.`store_id` || 'x' || hex(substr(OLD.`full_name`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`full_name`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e2s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `orders_text_insert` AFTER INSERT ON `orders` BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 3, concat_ws(' ', (SELECT group_concat('n3s' || NEW.`store_id` || 'x' || hex(substr(NEW.`number`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`number`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('t3s' || NEW.`store_id` || 'x' || hex(substr(NEW.`track_code_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`track_code_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `orders_text_update` AFTER UPDATE OF `number`, `track_code_folded` ON `orders` WHEN NEW.`number` IS NOT OLD.`number` OR NEW.`track_code_folded` IS NOT OLD.`track_code_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 3, concat_ws(' ', (SELECT group_concat('n3s' || OLD.`store_id` || 'x' || hex(substr(OLD.`number`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`number`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('t3s' || OLD.`store_id` || 'x' || hex(substr(OLD.`track_code_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`track_code_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 3, concat_ws(' ', (SELECT group_concat('n3s' || NEW.`store_id` || 'x' || hex(substr(NEW.`number`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`number`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('t3s' || NEW.`store_id` || 'x' || hex(substr(NEW.`track_code_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`track_code_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `orders_text_delete` AFTER DELETE ON `orders` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 3, concat_ws(' ', (SELECT group_concat('n3s' || OLD.`store_id` || 'x' || hex(substr(OLD.`number`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`number`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('t3s' || OLD.`store_id` || 'x' || hex(substr(OLD.`track_code_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`track_code_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_text_insert` AFTER INSERT ON `product_comments` BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 4, concat_ws(' ', (SELECT group_concat('n4s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e4s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_text_update` AFTER UPDATE OF `name_folded`, `email_folded` ON `product_comments` WHEN NEW.`name_folded` IS NOT OLD.`name_folded` OR NEW.`email_folded` IS NOT OLD.`email_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 4, concat_ws(' ', (SELECT group_concat('n4s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e4s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 4, concat_ws(' ', (SELECT group_concat('n4s' || NEW.`store_id` || 'x' || hex(substr(NEW.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e4s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_text_delete` AFTER DELETE ON `product_comments` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 4, concat_ws(' ', (SELECT group_concat('n4s' || OLD.`store_id` || 'x' || hex(substr(OLD.`name_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`name_folded`) - 2, 0))), '00', ',0'), 2) || ']')), (SELECT group_concat('e4s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `carts_text_insert` AFTER INSERT ON `carts` WHEN NEW.`email_folded` IS NOT NULL BEGIN INSERT INTO `text_index` (`rowid`, `trigrams`) VALUES (NEW.`id` * 8 + 5, concat_ws(' ', (SELECT group_concat('e5s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
CREATE TRIGGER `carts_text_update` AFTER UPDATE OF `email_folded` ON `carts` WHEN NEW.`email_folded` IS NOT OLD.`email_folded` BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) SELECT 'delete', OLD.`id` * 8 + 5, concat_ws(' ', (SELECT group_concat('e5s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']'))) WHERE OLD.`email_folded` IS NOT NULL; INSERT INTO `text_index` (`rowid`, `trigrams`) SELECT NEW.`id` * 8 + 5, concat_ws(' ', (SELECT group_concat('e5s' || NEW.`store_id` || 'x' || hex(substr(NEW.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(NEW.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']'))) WHERE NEW.`email_folded` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `carts_text_delete` AFTER DELETE ON `carts` WHEN OLD.`email_folded` IS NOT NULL BEGIN INSERT INTO `text_index` (`text_index`, `rowid`, `trigrams`) VALUES ('delete', OLD.`id` * 8 + 5, concat_ws(' ', (SELECT group_concat('e5s' || OLD.`store_id` || 'x' || hex(substr(OLD.`email_folded`, `key` + 1, 3)), ' ') FROM json_each('[' || substr(replace(hex(zeroblob(max(length(OLD.`email_folded`) - 2, 0))), '00', ',0'), 2) || ']')))); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `version`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `version` = 1;
