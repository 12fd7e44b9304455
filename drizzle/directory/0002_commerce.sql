ALTER TABLE `stores` ADD `test` integer DEFAULT false NOT NULL;
