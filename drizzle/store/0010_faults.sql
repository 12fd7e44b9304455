ALTER TABLE `webhook_deliveries` ADD `refusals` integer DEFAULT 0 NOT NULL;
