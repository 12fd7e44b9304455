CREATE TABLE `assertions` (
	`revision` integer NOT NULL,
	`grant_live` integer NOT NULL
);
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
CREATE INDEX `products_active` ON `products` (`store_id`,`active`);
--> statement-breakpoint
CREATE INDEX `products_brand` ON `products` (`store_id`,`brand_id`);
--> statement-breakpoint
CREATE INDEX `products_brand_key` ON `products` (`brand_id`);
--> statement-breakpoint
CREATE INDEX `products_priority` ON `products` (`store_id`,`priority`);
--> statement-breakpoint
CREATE INDEX `products_rating` ON `products` (`store_id`,`rating`);
--> statement-breakpoint
CREATE INDEX `products_created` ON `products` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `products_updated` ON `products` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `sequences` (
	`kind` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
) WITHOUT ROWID;
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
CREATE INDEX `skus_product` ON `skus` (`product_id`);
--> statement-breakpoint
CREATE TABLE `stocks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
CREATE TABLE `totals` (
	`store_id` integer NOT NULL,
	`kind` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`store_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`endpoint_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`code` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	`response_headers` text,
	`response_body` text,
	`key_id` text,
	`host` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `seq`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`endpoint_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`event_id` text NOT NULL,
	`state` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`trigger` text DEFAULT 'event' NOT NULL,
	`replay_of` integer,
	`code` integer,
	`error` text,
	`duration_ms` integer,
	`created_at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`endpoint_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`seq`) WHERE "webhook_deliveries"."state" = 0;
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
	`last_seq` integer DEFAULT 0 NOT NULL,
	`epoch` integer DEFAULT 1 NOT NULL,
	`wake_at` integer,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`lease_gen` integer DEFAULT 0 NOT NULL,
	`fail_streak` integer DEFAULT 0 NOT NULL,
	`first_fail_at` integer,
	`last_ok_at` integer,
	`warn_level` integer DEFAULT 0 NOT NULL,
	`latency_ms` integer DEFAULT 0 NOT NULL,
	`ordered` integer DEFAULT false NOT NULL,
	`concurrency` integer DEFAULT 2 NOT NULL,
	`timeout_ms` integer DEFAULT 5000 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_store` ON `webhook_endpoints` (`store_id`);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_wake` ON `webhook_endpoints` (`wake_at`) WHERE "webhook_endpoints"."wake_at" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`event` text NOT NULL,
	`body` text NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_idempotency` ON `webhook_events` (`store_id`,`idempotency_key`) WHERE "webhook_events"."idempotency_key" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`filter` text NOT NULL,
	`cursor` text DEFAULT '' NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
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
CREATE TRIGGER `brands_total_insert` AFTER INSERT ON `brands` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'brands', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `brands_total_delete` AFTER DELETE ON `brands` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'brands', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `products_total_insert` AFTER INSERT ON `products` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'products', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `products_total_delete` AFTER DELETE ON `products` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'products', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
