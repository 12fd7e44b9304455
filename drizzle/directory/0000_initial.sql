CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
	`store_id` integer,
	`by_operator` integer DEFAULT false NOT NULL,
	`partner_id` integer
);
--> statement-breakpoint
CREATE INDEX `audit_partner` ON `audit` (`partner_id`,`at`) WHERE "audit"."partner_id" is not null;
--> statement-breakpoint
CREATE INDEX `audit_store` ON `audit` (`store_id`,`at`) WHERE "audit"."store_id" is not null;
--> statement-breakpoint
CREATE INDEX `audit_operator` ON `audit` (`at`) WHERE "audit"."by_operator" = 1;
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);
--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`) WHERE "audit"."actor_kind" in ('user', 'operator');
--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`target_id`) WHERE "audit"."target_kind" = 'user';
--> statement-breakpoint
CREATE INDEX `audit_old_address` ON `audit` (lower(changes ->> '$.email[0]')) WHERE lower(changes ->> '$.email[0]') is not null;
--> statement-breakpoint
CREATE INDEX `audit_new_address` ON `audit` (lower(case when changes ->> '$.email[1]' is null then changes ->> '$.temporary_email[1]' else changes ->> '$.email[1]' end)) WHERE lower(case when changes ->> '$.email[1]' is null then changes ->> '$.temporary_email[1]' else changes ->> '$.email[1]' end) is not null;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`language` text NOT NULL,
	`store_id` integer,
	`role` text,
	`partner_id` integer,
	`invited_by` integer NOT NULL,
	`by_operator` integer DEFAULT false NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `invitations_store` ON `invitations` (`store_id`);
--> statement-breakpoint
CREATE INDEX `invitations_partner` ON `invitations` (`partner_id`);
--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` ("email" collate nocase);
--> statement-breakpoint
CREATE INDEX `invitations_sender` ON `invitations` (`invited_by`) WHERE "invitations"."accepted_at" is null and "invitations"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `partner_members` (
	`partner_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`partner_id`, `user_id`),
	FOREIGN KEY (`partner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `partner_members_user` ON `partner_members` (`user_id`);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`secret_hash` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` integer,
	`store_ids` text,
	`for_operator` integer DEFAULT false NOT NULL,
	`expires_at` integer,
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
CREATE TABLE `one_use_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`claim` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `one_use_links_user` ON `one_use_links` (`user_id`);
--> statement-breakpoint
CREATE INDEX `one_use_links_expires` ON `one_use_links` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`challenged_at` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	`blocked_at` integer,
	`replaces_password` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);
--> statement-breakpoint
CREATE TABLE `passwords` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `remembered_devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_day` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `remembered_devices_token_hash_unique` ON `remembered_devices` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `remembered_devices_user` ON `remembered_devices` (`user_id`);
--> statement-breakpoint
CREATE INDEX `remembered_devices_expires` ON `remembered_devices` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `second_factors_secret` ON `second_factors` (`secret`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`proved_at` integer DEFAULT 0 NOT NULL,
	`factor_at` integer,
	`device` text DEFAULT '' NOT NULL,
	`country` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `sign_in_countries` (
	`user_id` integer NOT NULL,
	`country` text NOT NULL,
	PRIMARY KEY(`user_id`, `country`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
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
CREATE TABLE `deploy_locks` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`holder` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `former_aliases` (
	`digest` text PRIMARY KEY NOT NULL,
	`alias` text,
	`store_id` integer NOT NULL,
	`left_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `former_aliases_alias_unique` ON `former_aliases` (`alias`);
--> statement-breakpoint
CREATE INDEX `former_aliases_store` ON `former_aliases` (`store_id`);
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
CREATE INDEX `memberships_store` ON `memberships` (`store_id`);
--> statement-breakpoint
CREATE TABLE `schema_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shards` (
	`number` integer PRIMARY KEY NOT NULL,
	`state` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`growth` integer DEFAULT 0 NOT NULL,
	`load` integer DEFAULT 0 NOT NULL,
	`stores` integer DEFAULT 0 NOT NULL,
	`block` integer,
	`seen_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `store_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`shard` integer NOT NULL,
	`store_id` integer NOT NULL,
	`user_id` integer,
	`given_since` integer,
	`is_new` integer DEFAULT false NOT NULL,
	`erase_at` integer,
	`former_alias` text,
	`left_at` integer
);
--> statement-breakpoint
CREATE INDEX `store_changes_shard` ON `store_changes` (`shard`);
--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`alias` text NOT NULL,
	`name` text NOT NULL,
	`owner_id` integer NOT NULL,
	`made_by` integer,
	`shard` integer NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`zone` text DEFAULT 'America/Sao_Paulo' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`close_reason` text,
	`locked_at` integer,
	`lock_reason` text,
	`erase_at` integer,
	`erased_at` integer,
	`mfa_required` integer DEFAULT false NOT NULL,
	`event_budget` integer,
	`requests_per_minute` integer,
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
CREATE INDEX `stores_made_by` ON `stores` (`made_by`,`created_at`) WHERE "stores"."made_by" is not null;
--> statement-breakpoint
CREATE INDEX `stores_tombstones` ON `stores` (`erased_at`) WHERE "stores"."erased_at" is not null and "stores"."test" = 1;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`agree` integer DEFAULT false NOT NULL,
	`allow_notifications` integer DEFAULT true NOT NULL,
	`mfa_enabled` integer DEFAULT false NOT NULL,
	`super_user` integer DEFAULT false NOT NULL,
	`language` text,
	`muted_mails` text DEFAULT '[]' NOT NULL,
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
CREATE INDEX `users_operators` ON `users` (`id`) WHERE "users"."super_user" = 1;
--> statement-breakpoint
CREATE TABLE `blocked_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`user_id` integer,
	`to_address` text NOT NULL,
	`to_name` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`dropped` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mails_key_unique` ON `mails` (`key`);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`) WHERE "mails"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `mails_leased` ON `mails` (`leased_until`) WHERE "mails"."leased_until" > 0;
--> statement-breakpoint
CREATE INDEX `mails_created` ON `mails` (`created_at`);
--> statement-breakpoint
CREATE INDEX `mails_sent` ON `mails` (lower("to_address"),`kind`,`sent_at`) WHERE "mails"."sent_at" is not null;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`shard` integer NOT NULL,
	`store_id` integer,
	`user_id` integer,
	`progress` text DEFAULT '{}' NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`result` text,
	`error` text,
	`reason` text,
	`requested_by` integer NOT NULL,
	`by_operator` integer DEFAULT false NOT NULL,
	`confirmed_by` integer,
	`confirmed_at` integer,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`shard`,`due_at`) WHERE "jobs"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `jobs_store` ON `jobs` (`store_id`,`id`);
--> statement-breakpoint
CREATE INDEX `jobs_user` ON `jobs` (`user_id`) WHERE "jobs"."user_id" is not null;
--> statement-breakpoint
CREATE TABLE `store_copies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`begun_at` integer NOT NULL,
	`finished_at` integer,
	`rows` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	`manifest_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `store_copies_store` ON `store_copies` (`store_id`,`id`);
--> statement-breakpoint
CREATE TABLE `app_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`event_id` text NOT NULL,
	`client_id` text NOT NULL,
	`store_id` integer NOT NULL,
	`event` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`delivered_at` integer,
	`response_status` integer,
	`error` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `app_deliveries_key_unique` ON `app_deliveries` (`key`);
--> statement-breakpoint
CREATE INDEX `app_deliveries_due` ON `app_deliveries` (`client_id`,`due_at`) WHERE "app_deliveries"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `app_deliveries_app` ON `app_deliveries` (`client_id`,`id`);
--> statement-breakpoint
CREATE INDEX `app_deliveries_created` ON `app_deliveries` (`created_at`);
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
CREATE TABLE `app_webhooks` (
	`client_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`secret_current` text NOT NULL,
	`secret_previous` text,
	`secret_previous_until` integer,
	`secret_mode` integer DEFAULT 0 NOT NULL,
	`secret_overlap_ms` integer DEFAULT 86400000 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`proven_at` integer,
	`next_at` integer,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `app_webhooks_due` ON `app_webhooks` (`next_at`) WHERE "app_webhooks"."active" = 1 and "app_webhooks"."next_at" is not null;
--> statement-breakpoint
CREATE TABLE `apps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`owner_id` integer,
	`host` text,
	`hosts` text,
	`used_at` integer,
	`network` text,
	`name` text NOT NULL,
	`names` text,
	`publisher` text NOT NULL,
	`site_url` text,
	`support` text,
	`privacy_url` text,
	`logo` text,
	`verified_host` text,
	`verified_at` integer,
	`verified_name` text,
	`redirect_uris` text NOT NULL,
	`scopes` integer NOT NULL,
	`state` text DEFAULT 'draft' NOT NULL,
	`disabled_reason` text,
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
CREATE INDEX `apps_host` ON `apps` (`host`) WHERE "apps"."host" is not null;
--> statement-breakpoint
CREATE INDEX `apps_used` ON `apps` (`used_at`,`created_at`) WHERE "apps"."host" is not null;
--> statement-breakpoint
CREATE INDEX `apps_unused` ON `apps` (`network`,`id`) WHERE "apps"."host" is not null and "apps"."used_at" is null;
--> statement-breakpoint
CREATE INDEX `apps_verified_name` ON `apps` (`verified_name`) WHERE "apps"."verified_name" is not null;
--> statement-breakpoint
CREATE INDEX `apps_withdrawn` ON `apps` (`withdrawn_at`) WHERE "apps"."withdrawn_at" is not null;
--> statement-breakpoint
CREATE TABLE `blocked_hosts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_host_unique` ON `blocked_hosts` (`host`);
--> statement-breakpoint
CREATE TABLE `request_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`caller` text NOT NULL,
	`store_id` integer,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`operation` text NOT NULL,
	`status` integer NOT NULL,
	`code` text NOT NULL,
	`ms` integer NOT NULL,
	`request_id` text NOT NULL,
	`sent` text NOT NULL,
	`one_in` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_log_caller` ON `request_log` (`caller`,`id`);
--> statement-breakpoint
CREATE TRIGGER `stores_changed` AFTER UPDATE OF `alias`, `shard`, `zone`, `active`, `test`, `base_url`, `requests_per_minute`, `mfa_required`, `event_budget` ON `stores` WHEN OLD.`alias` IS NOT NEW.`alias` OR OLD.`shard` IS NOT NEW.`shard` OR OLD.`zone` IS NOT NEW.`zone` OR OLD.`active` IS NOT NEW.`active` OR OLD.`test` IS NOT NEW.`test` OR OLD.`base_url` IS NOT NEW.`base_url` OR OLD.`requests_per_minute` IS NOT NEW.`requests_per_minute` OR OLD.`mfa_required` IS NOT NEW.`mfa_required` OR OLD.`event_budget` IS NOT NEW.`event_budget` BEGIN UPDATE `stores` SET `version` = `version` + 1 WHERE `id` = NEW.`id`; UPDATE `store_changes` SET `shard` = NEW.`shard` WHERE `store_id` = NEW.`id`; INSERT INTO `store_changes` (`shard`, `store_id`) VALUES (NEW.`shard`, NEW.`id`); END;
--> statement-breakpoint
CREATE TRIGGER `stores_closed` AFTER UPDATE OF `erase_at` ON `stores` WHEN OLD.`erase_at` IS NULL AND NEW.`erase_at` IS NOT NULL BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `erase_at`) VALUES (NEW.`shard`, NEW.`id`, NEW.`erase_at`); END;
--> statement-breakpoint
CREATE TRIGGER `memberships_ended` AFTER DELETE ON `memberships` BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) SELECT `shard`, `id`, OLD.`user_id` FROM `stores` WHERE `id` = OLD.`store_id`; END;
--> statement-breakpoint
CREATE TRIGGER `memberships_demoted` AFTER UPDATE OF `role` ON `memberships` WHEN NEW.`role` = 'viewer' AND OLD.`role` <> 'viewer' BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) SELECT `shard`, `id`, NEW.`user_id` FROM `stores` WHERE `id` = NEW.`store_id`; END;
--> statement-breakpoint
CREATE TRIGGER `users_deactivated` AFTER UPDATE OF `active` ON `users` WHEN NEW.`active` = 0 AND OLD.`active` <> 0 BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) SELECT `stores`.`shard`, `stores`.`id`, NEW.`id` FROM `memberships` JOIN `stores` ON `stores`.`id` = `memberships`.`store_id` WHERE `memberships`.`user_id` = NEW.`id`; END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `version`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `version` = 1;
