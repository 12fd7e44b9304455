ALTER TABLE `oauth_grants` ADD `merchant` text NOT NULL;
