DROP INDEX `users_email_unique`;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` ("email" collate nocase);
