import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDeployment } from '../../../../src/deploy/deployment-file.ts';
import { deploymentResources } from '../../../../src/deploy/deployment-resources.ts';
import { readLocalConfig } from '../../../../src/deploy/local-config.ts';
import {
  createProductionConfig,
  createWatchConfig,
} from '../../../../src/deploy/production-config.ts';

export const projectRoot = resolve(import.meta.dirname, '../../../..');

/** Three shards. */
export const deploymentFile = {
  name: 'store-api',
  host: 'api.store.example',
  location: 'weur',
  shards: 3,
};

/** A different id in the form of the platform. */
export const resourceId = (index: number) =>
  `5f3c1a90-7b2e-4d61-9c08-${String(index).padStart(12, '0')}`;

/** The source from which `npm run deploy` derives configurations, with ids that look real. */
function sourceOf(folder: string, file: object) {
  const local = readLocalConfig(projectRoot);
  const deployment = parseDeployment(file);
  const { databases, namespaces } = deploymentResources(local, deployment);
  const idsOf = (bindings: readonly { binding: string }[], first: number) =>
    Object.fromEntries(bindings.map(({ binding }, index) => [binding, resourceId(first + index)]));
  const ids = { databases: idsOf(databases, 1), namespaces: idsOf(namespaces, 5001) };
  return { local, deployment, ids, root: projectRoot, folder };
}

/** Derives a production configuration as `npm run deploy` does. */
export const deriveProductionConfig = (folder: string, file: object = deploymentFile) =>
  createProductionConfig(sourceOf(folder, file));

/** Derives the configuration of the Worker that watches. */
export const deriveWatchConfig = (folder: string, file: object) =>
  createWatchConfig(sourceOf(folder, file));

/** Writes such a configuration into a folder and returns its path. */
export function writeProductionConfig(folder: string): string {
  const path = join(folder, 'wrangler.json');
  writeFileSync(path, JSON.stringify(deriveProductionConfig(folder)));
  return path;
}
