ALTER TABLE `oauth_grants` ADD `forward_until` integer;
