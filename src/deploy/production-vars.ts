import { deployedLimits } from '../base/settings.ts';
import type { Deployment } from './deployment-file.ts';
import { datasetName } from './deployment-resources.ts';

/**
 * Root keys. Their local values are public, so they are never variables of a deployment, but
 * secrets.
 */
export const isKeyName = (name: string) => /_KEY(?:_PREVIOUS)?$/.test(name);

/** Variables that only a local runtime has. */
const localOnly = new Set(['FIXED_CLIENT_IDS', 'LOCAL_HOSTS']);

/** A line of the log costs more than the rest of a read, and tells no more than its neighbours. */
const defaultSampling = { READS_PER_LOG_LINE: '10', SUCCESSES_PER_ROW: '100' };

/** Variables that follow from the deployment file, so that `vars` there must not set them. */
const derivedVars = (deployment: Deployment) => ({
  DEPLOYMENT: 'production',
  AUTH_URL: `https://${deployment.host}`,
  SERVICE_NAME: deployment.service_name,
  ALLOW_LOCAL_RECEIVERS: 'false',
  OWN_HOSTS: deployment.own_hosts.join(','),
  RESTORING_SHARDS: deployment.restoring_shards.join(' '),
  EVENT_DAYS: String(deployment.retention_days),
  OPERATOR_MFA: 'required',
  MAIL_FROM: deployment.mail?.from ?? '',
  BRAND_NAME: deployment.brand.name ?? '',
  BRAND_ACCENT: deployment.brand.accent ?? '',
  BRAND_LOGO: deployment.brand.logo ?? '',
  BRAND_FAVICON: deployment.brand.favicon ?? '',
  SUPPORT_ADDRESS: deployment.brand.support ?? '',
  COPIES_URL: deployment.copies?.url ?? '',
  COPIES_REGION: deployment.copies?.region ?? 'auto',
  COPIES_ACCESS_ID: deployment.copies?.access_id ?? '',
  COPY_DAYS: String(deployment.copies?.days ?? 30),
  METRICS_URL: deployment.account_id
    ? `https://api.cloudflare.com/client/v4/accounts/${deployment.account_id}/analytics_engine/sql`
    : '',
  METRICS_DATASET: datasetName(deployment, 'points'),
});

/**
 * The variables of a deployment: those of wrangler.toml, with its own values for what must differ.
 */
export function productionVars(
  localVars: Readonly<Record<string, string>>,
  deployment: Deployment,
): Record<string, string> {
  const taken = Object.entries(localVars).filter(
    ([name]) => !isKeyName(name) && !localOnly.has(name),
  );
  const derived = derivedVars(deployment);
  const known = {
    ...Object.fromEntries(taken),
    RESOLVER_URL: '',
    ...defaultSampling,
    ...deployedLimits,
  };
  const wrong = Object.keys(deployment.vars).filter((name) => name in derived || !(name in known));
  if (wrong.length > 0) {
    throw new Error(`The deployment file must not set ${wrong.join(', ')} in vars.`);
  }
  return {
    ...known,
    RESOLVER_URL: 'https://cloudflare-dns.com/dns-query',
    ...deployment.vars,
    ...derived,
  };
}
