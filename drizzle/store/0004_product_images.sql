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
