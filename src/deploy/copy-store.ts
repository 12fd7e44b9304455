/**
 * `npm run copy-store -- --id 7 --at 2031-03-05T14:00:00Z` (runs in Node, is not part of the
 * Worker). It makes a copy of one store as it was at that time, by Time Travel of its shard
 * (`copy-past-store.ts`). OPERATIONS.md has its runbook.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { addIssue } from '../base/codecs/field-messages.ts';
import { readDateTime } from '../base/codecs/fields/read-date-time.ts';
import { ensureDocs } from '../docs/build/ensure-docs.ts';
import { copyPastStore } from './copy-past-store.ts';
import { readDeployment } from './deployment-file.ts';
import { createRun } from './run.ts';

const root = resolve(import.meta.dirname, '../..');

const print = (line: string) => console.log(line);

const usage =
  'npm run copy-store -- --id 7 --at 2031-03-05T14:00:00Z [--shard 0] [--file deployment.json] [--give-up]';

const atMessage = '--at must be a time such as 2031-03-05T14:00:00Z.';

const wantedSchema = z.object({
  id: z
    .string('--id must be the number of a store.')
    .regex(/^[1-9]\d*$/, '--id must be the number of a store.')
    .transform(Number),
  at: z
    .string(atMessage)
    .transform((text, context): number => {
      const read = readDateTime(text, undefined);
      return typeof read === 'number' ? read : addIssue(context, atMessage);
    })
    .refine((at) => at <= Date.now(), '--at must be in the past.'),
  shard: z
    .string()
    .regex(/^\d+$/, '--shard must be the number of a shard.')
    .transform(Number)
    .optional(),
});

/** Reads the arguments. Throws with all that is wrong with them, and how to write them. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        id: { type: 'string' },
        at: { type: 'string' },
        shard: { type: 'string' },
        file: { type: 'string', default: 'deployment.json' },
        'give-up': { type: 'boolean', default: false },
      },
    });
    const { id, at, shard, ...further } = values;
    const { data, error } = wantedSchema.safeParse({ id, at, shard });
    if (error) throw new Error(error.issues.map(({ message }) => message).join('\n'));
    return { ...further, ...data };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}

let hasBegun = false;
try {
  const { id, at, shard, file, ...flags } = readArguments();
  const deploymentFile = resolve(file);
  const deployment = readDeployment(deploymentFile);
  // It loads wrangler, which arguments that are refused need not wait for.
  const { readLocalConfig } = await import('./local-config.ts');
  const local = readLocalConfig(root);
  const run = createRun({ root, deploymentFile, deployment, local, print });
  const problems = await ensureDocs(root);
  if (problems.length > 0) throw new Error(`npm run build:docs: ${problems.join('\n')}`);
  const wanted = { storeId: id, at, shard };
  // Running work ends within 30 seconds.
  const options = { deploymentFile, settleMs: 60_000, isGivenUp: flags['give-up'] };
  hasBegun = true;
  print(await copyPastStore(run, wanted, options));
} catch (error) {
  console.error(`npm run copy-store: ${error instanceof Error ? error.message : String(error)}`);
  if (hasBegun) {
    console.error(
      'Run it again: it goes on where it stopped. --give-up only brings the shard forward.',
    );
  }
  process.exitCode = 1;
}
