import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

await applyD1Migrations(env.DIRECTORY, env.DIRECTORY_MIGRATIONS);
await applyD1Migrations(env.STORE_0, env.STORE_MIGRATIONS);
await applyD1Migrations(env.STORE_1, env.STORE_MIGRATIONS);
