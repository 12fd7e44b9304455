CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`secret_hash` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_token_hash_unique` ON `api_keys` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);
--> statement-breakpoint
CREATE TABLE `app_installs` (
	`client_id` text NOT NULL,
	`shard` integer NOT NULL,
	`installs` integer NOT NULL,
	`last_event_at` integer NOT NULL,
	PRIMARY KEY(`client_id`, `shard`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `app_installs_shard` ON `app_installs` (`shard`);
--> statement-breakpoint
CREATE TABLE `apps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`owner_id` integer NOT NULL,
	`name` text NOT NULL,
	`publisher` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`scopes` integer NOT NULL,
	`state` text DEFAULT 'draft' NOT NULL,
	`withdrawn_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `apps_client_id_unique` ON `apps` (`client_id`);
--> statement-breakpoint
CREATE INDEX `apps_owner` ON `apps` (`owner_id`);
--> statement-breakpoint
CREATE INDEX `apps_withdrawn` ON `apps` (`withdrawn_at`) WHERE "apps"."withdrawn_at" is not null;
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
CREATE TABLE `passwords` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `pulse` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`wanted_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `schema_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `shards` (
	`number` integer PRIMARY KEY NOT NULL,
	`region` text NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`stores` integer DEFAULT 0 NOT NULL,
	`block` integer,
	`seen_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`first_at` integer NOT NULL,
	`blocked_until` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sign_in_failures_first` ON `sign_in_failures` (`first_at`);
--> statement-breakpoint
CREATE TABLE `store_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`shard` integer NOT NULL,
	`store_id` integer NOT NULL,
	`user_id` integer
);
--> statement-breakpoint
CREATE INDEX `store_changes_shard` ON `store_changes` (`shard`);
--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alias` text NOT NULL,
	`name` text NOT NULL,
	`owner_id` integer NOT NULL,
	`shard` integer NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`zone` text DEFAULT 'America/Sao_Paulo' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`test` integer DEFAULT false NOT NULL,
	`base_url` text NOT NULL,
	`domain` text,
	`icon_url` text,
	`logo_url` text,
	`domains_list` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`has_affiliations` integer DEFAULT true NOT NULL,
	`has_credit_card` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
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
CREATE UNIQUE INDEX `users_email_key` ON `users` ("email" collate nocase);
--> statement-breakpoint
CREATE TRIGGER `stores_changed` AFTER UPDATE OF `alias`, `shard`, `zone`, `active`, `test`, `base_url` ON `stores` WHEN OLD.`alias` IS NOT NEW.`alias` OR OLD.`shard` IS NOT NEW.`shard` OR OLD.`zone` IS NOT NEW.`zone` OR OLD.`active` IS NOT NEW.`active` OR OLD.`test` IS NOT NEW.`test` OR OLD.`base_url` IS NOT NEW.`base_url` BEGIN UPDATE `stores` SET `version` = `version` + 1 WHERE `id` = NEW.`id`; UPDATE `store_changes` SET `shard` = NEW.`shard` WHERE `store_id` = NEW.`id`; INSERT INTO `store_changes` (`shard`, `store_id`) VALUES (NEW.`shard`, NEW.`id`); END;
--> statement-breakpoint
CREATE TRIGGER `memberships_ended` AFTER DELETE ON `memberships` BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) SELECT `shard`, `id`, OLD.`user_id` FROM `stores` WHERE `id` = OLD.`store_id`; END;
--> statement-breakpoint
CREATE TRIGGER `users_deactivated` AFTER UPDATE OF `active` ON `users` WHEN NEW.`active` = 0 AND OLD.`active` <> 0 BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) SELECT `stores`.`shard`, `stores`.`id`, NEW.`id` FROM `memberships` JOIN `stores` ON `stores`.`id` = `memberships`.`store_id` WHERE `memberships`.`user_id` = NEW.`id`; END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `version`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `version` = 1;
