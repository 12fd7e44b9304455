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
CREATE TRIGGER `product_comments_total_insert` AFTER INSERT ON `product_comments` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (NEW.`store_id`, 'product_comments', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `product_comments_total_delete` AFTER DELETE ON `product_comments` BEGIN
	INSERT INTO `totals` (`store_id`, `kind`, `total`) VALUES (OLD.`store_id`, 'product_comments', 1)
	ON CONFLICT DO UPDATE SET `total` = `total` - 1;
END;
