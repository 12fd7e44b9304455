ALTER TABLE `credentials` ADD `last_used_at` integer;
