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
CREATE TRIGGER `flags_total_insert` AFTER INSERT ON `flags` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'flags', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `flags_total_delete` AFTER DELETE ON `flags` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'flags', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
