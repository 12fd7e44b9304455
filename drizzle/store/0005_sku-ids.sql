CREATE INDEX `skus_store` ON `skus` (`store_id`);
