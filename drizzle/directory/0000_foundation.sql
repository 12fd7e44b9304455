CREATE TABLE `credentials` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`secret_hash` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_token_hash_unique` ON `credentials` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `credentials_user` ON `credentials` (`user_id`);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`user_id` integer NOT NULL,
	`store_id` integer NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `store_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alias` text NOT NULL,
	`name` text NOT NULL,
	`owner_id` integer NOT NULL,
	`shard` integer DEFAULT 0 NOT NULL,
	`zone` text DEFAULT 'America/Sao_Paulo' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`base_url` text NOT NULL,
	`domain` text,
	`icon_url` text,
	`logo_url` text,
	`domains_list` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`has_affiliations` integer DEFAULT true NOT NULL,
	`has_credit_card` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stores_alias_unique` ON `stores` (`alias`);
--> statement-breakpoint
CREATE INDEX `stores_owner` ON `stores` (`owner_id`);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`agree` integer DEFAULT false NOT NULL,
	`allow_notifications` integer DEFAULT false NOT NULL,
	`mfa_enabled` integer DEFAULT false NOT NULL,
	`social_name` text,
	`cpf` text,
	`phone` text,
	`address_street` text,
	`address_number` text,
	`address_neighborhood` text,
	`address_complement` text,
	`address_city` text,
	`address_state` text,
	`address_zipcode` text,
	`temporary_email` text,
	`birthday` text,
	`avatar_url` text,
	`last_login_at` integer,
	`confirmed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
