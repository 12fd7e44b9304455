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
CREATE TABLE `cart_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`cart_id` integer NOT NULL,
	`sku_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`cart_id`) REFERENCES `carts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sku_id`) REFERENCES `skus`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cart_items_sku` ON `cart_items` (`cart_id`,`sku_id`);
--> statement-breakpoint
CREATE INDEX `cart_items_sku_key` ON `cart_items` (`sku_id`);
--> statement-breakpoint
CREATE TABLE `carts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
CREATE INDEX `carts_due` ON `carts` (`due_at`) WHERE "carts"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `carts_store` ON `carts` (`store_id`);
--> statement-breakpoint
CREATE INDEX `carts_status` ON `carts` (`store_id`,`status`);
--> statement-breakpoint
CREATE INDEX `carts_customer` ON `carts` (`store_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `carts_customer_key` ON `carts` (`customer_id`);
--> statement-breakpoint
CREATE INDEX `carts_email` ON `carts` (`store_id`,`email_folded`);
--> statement-breakpoint
CREATE INDEX `carts_created` ON `carts` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `carts_updated` ON `carts` (`store_id`,`updated_at`);
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
	`merchant` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`scopes` integer NOT NULL,
	`challenge` text NOT NULL,
	`redirect_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`current_hash` text NOT NULL,
	`previous_hash` text,
	`sealed` text,
	`rotated_at` integer,
	`budget` integer DEFAULT 3 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`reason` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `oauth_grants_store` ON `oauth_grants` (`store_id`,`client_id`);
--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`);
--> statement-breakpoint
CREATE TABLE `order_addresses` (
	`id` integer PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_addresses_order` ON `order_addresses` (`order_id`);
--> statement-breakpoint
CREATE TABLE `order_items` (
	`id` integer PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_items_sku` ON `order_items` (`order_id`,`sku_id`);
--> statement-breakpoint
CREATE TABLE `order_numbers` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_statuses` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `order_statuses_order` ON `order_statuses` (`order_id`);
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
CREATE INDEX `orders_status_id` ON `orders` (`store_id`,`status_id`);
--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` (`store_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `orders_total` ON `orders` (`store_id`,`value_total`);
--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `orders_updated` ON `orders` (`store_id`,`updated_at`);
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
CREATE INDEX `transactions_due` ON `transactions` (`due_at`) WHERE "transactions"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `transactions_order` ON `transactions` (`order_id`);
--> statement-breakpoint
CREATE INDEX `transactions_store` ON `transactions` (`store_id`);
--> statement-breakpoint
CREATE INDEX `transactions_store_order` ON `transactions` (`store_id`,`order_id`);
--> statement-breakpoint
CREATE INDEX `transactions_status` ON `transactions` (`store_id`,`status`);
--> statement-breakpoint
CREATE INDEX `transactions_payment` ON `transactions` (`store_id`,`payment_id`);
--> statement-breakpoint
CREATE INDEX `transactions_customer` ON `transactions` (`store_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `transactions_amount` ON `transactions` (`store_id`,`amount`);
--> statement-breakpoint
CREATE INDEX `transactions_installments` ON `transactions` (`store_id`,`installments`);
--> statement-breakpoint
CREATE INDEX `transactions_authorized` ON `transactions` (`store_id`,`authorized_at`);
--> statement-breakpoint
CREATE INDEX `transactions_captured` ON `transactions` (`store_id`,`captured_at`);
--> statement-breakpoint
CREATE INDEX `transactions_cancelled` ON `transactions` (`store_id`,`cancelled_at`);
--> statement-breakpoint
CREATE INDEX `transactions_created` ON `transactions` (`store_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `transactions_updated` ON `transactions` (`store_id`,`updated_at`);
--> statement-breakpoint
CREATE TABLE `webhook_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`endpoint_id` integer NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`user_id` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_audit_endpoint` ON `webhook_audit` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_audit_at` ON `webhook_audit` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_dead_hints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`at` integer NOT NULL,
	`error` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_dead_hints_at` ON `webhook_dead_hints` (`at`);
--> statement-breakpoint
CREATE TABLE `webhook_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`good_at` integer,
	`refusal` text
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
DROP INDEX `webhook_deliveries_due`;
--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `refusals` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_unsent` ON `webhook_deliveries` (`endpoint_id`,`state`,`seq`) WHERE "webhook_deliveries"."state" >= 2;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`event_id`) WHERE "webhook_deliveries"."state" = 3;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`seq`,`event_id`) WHERE "webhook_deliveries"."state" = 0;
--> statement-breakpoint
PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE `__new_webhook_replays` (
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
INSERT INTO `__new_webhook_replays`("id", "endpoint_id", "filter", "cursor", "done", "total", "state", "created_at") SELECT "id", "endpoint_id", "filter", "cursor", "done", "total", "state", "created_at" FROM `webhook_replays`;
--> statement-breakpoint
DROP TABLE `webhook_replays`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_replays` RENAME TO `webhook_replays`;
--> statement-breakpoint
PRAGMA foreign_keys=ON;
--> statement-breakpoint
CREATE INDEX `webhook_replays_endpoint` ON `webhook_replays` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_done` ON `webhook_replays` (`done_at`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_running` ON `webhook_replays` (`id`) WHERE "webhook_replays"."state" = 0;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `secret_overlap_ms` integer DEFAULT 86400000 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `fail_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `release_from` integer;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_release` ON `webhook_endpoints` (`release_from`) WHERE "webhook_endpoints"."release_from" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_failing` ON `webhook_endpoints` (`first_fail_at`) WHERE "webhook_endpoints"."first_fail_at" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_rotating` ON `webhook_endpoints` (`secret_previous_until`) WHERE "webhook_endpoints"."secret_previous_until" is not null;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_at` ON `webhook_attempts` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_snippets` ON `webhook_attempts` (`at`) WHERE "webhook_attempts"."response_body" is not null;
--> statement-breakpoint
CREATE TRIGGER `carts_total_insert` AFTER INSERT ON `carts` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'carts', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `carts_total_delete` AFTER DELETE ON `carts` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'carts', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_total_insert` AFTER INSERT ON `customers` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'customers', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_total_delete` AFTER DELETE ON `customers` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'customers', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `orders_total_insert` AFTER INSERT ON `orders` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'orders', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `orders_total_delete` AFTER DELETE ON `orders` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'orders', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `transactions_total_insert` AFTER INSERT ON `transactions` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'transactions', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `transactions_total_delete` AFTER DELETE ON `transactions` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'transactions', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
