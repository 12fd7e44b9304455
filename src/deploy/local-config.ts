import { join } from 'node:path';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import * as z from 'zod';

/**
 * The parts of wrangler.toml that differ in a deployment. All others are taken over as they are.
 */
const localConfigSchema = z.looseObject({
  name: z.string(),
  compatibility_date: z.string(),
  vars: z.record(z.string(), z.string()),
  alias: z.record(z.string(), z.string()).default({}),
  assets: z.looseObject({ directory: z.string() }),
  d1_databases: z.array(z.looseObject({ binding: z.string(), migrations_dir: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string() })),
  queues: z.strictObject({
    producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })),
    consumers: z.array(
      z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() }),
    ),
  }),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })).default([]),
  analytics_engine_datasets: z
    .array(z.looseObject({ binding: z.string(), dataset: z.string() }))
    .default([]),
  send_email: z.array(z.looseObject({ name: z.string() })).default([]),
  ratelimits: z.array(
    z.strictObject({
      name: z.string(),
      namespace_id: z.string(),
      simple: z.strictObject({ limit: z.number(), period: z.literal([10, 60]) }),
    }),
  ),
});

export type LocalConfig = z.output<typeof localConfigSchema>;

/** Reads wrangler.toml. */
export const readLocalConfig = (root: string): LocalConfig =>
  localConfigSchema.parse(readRawConfig({ config: join(root, 'wrangler.toml') }).rawConfig);
