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
CREATE TRIGGER `customizations_total_insert` AFTER INSERT ON `customizations` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'customizations', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customizations_total_delete` AFTER DELETE ON `customizations` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'customizations', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
