import * as z from 'zod';

/** The sealing key in wrangler.toml for the local runtime. It is public. */
const localSealingKey = 'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=';

/** The public local key for codes and tokens. */
const localTokenKey = 'bG9jYWwtdG9rZW4ta2V5LW5ldmVyLWluLXByb2R1Y3Q=';
const dayMs = 86_400_000;

/** A function: the schema is built with the first request, not at start-up. */
const settingsSchema = () => {
  const perMinute = z.coerce.number().int().min(1);
  const days = z.coerce.number().int().min(1).max(365);
  return z
    .object({
      DEPLOYMENT: z.enum(['local', 'production']),
      SERVICE_NAME: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/),
      ALLOW_LOCAL_RECEIVERS: z.stringbool(),
      OWN_HOSTS: z.string(),
      RESOLVER_URL: z.union([z.literal(''), z.url({ protocol: /^https$/ })]),
      RESTORING_SHARDS: z
        .string()
        .regex(/^(?:\d+(?: \d+)*)?$/)
        .default(''),
      ENDPOINT_LEASE_SECONDS: z.coerce.number().int().min(1).max(600),
      /** Below 60 only in tests. */
      DELIVERY_BATCH_SIZE: z.coerce.number().int().min(1).max(60).default(60),
      SEALING_KEY: z.base64().length(44),
      TOKEN_KEY: z.base64().length(44),
      TOKEN_KEY_PREVIOUS: z.base64().length(44).optional(),
      AUTH_URL: z
        .url({ protocol: /^https?$/ })
        .refine((url) => new URL(url).pathname === '/', 'Must not have a path.')
        .optional(),
      FIXED_CLIENT_IDS: z.string().default(''),
      EVENT_DAYS: days,
      DELIVERED_EVENT_DAYS: days,
      API_PER_MINUTE: perMinute,
      ME_PER_MINUTE: perMinute,
      FAILED_AUTH_PER_MINUTE: perMinute,
    })
    .refine(
      (settings) =>
        settings.DEPLOYMENT === 'local' ||
        (!settings.ALLOW_LOCAL_RECEIVERS &&
          settings.SEALING_KEY !== localSealingKey &&
          settings.TOKEN_KEY !== localTokenKey &&
          settings.AUTH_URL?.startsWith('https://')),
      'A deployment needs its own AUTH_URL and keys, and must not allow local receivers.',
    )
    .transform((settings) => ({
      isLocal: settings.DEPLOYMENT === 'local',
      serviceName: settings.SERVICE_NAME,
      allowLocalReceivers: settings.ALLOW_LOCAL_RECEIVERS,
      /** Hosts of this platform, in lower case. Their subdomains count as well. */
      ownHosts: settings.OWN_HOSTS.toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
      /** DNS over HTTPS (JSON). If empty, host names of receivers are not resolved. */
      resolverUrl: settings.RESOLVER_URL,
      leaseMs: settings.ENDPOINT_LEASE_SECONDS * 1000,
      /** Deliveries that one worker loads from an endpoint queue at once. */
      batchSize: settings.DELIVERY_BATCH_SIZE,
      /** Retention of events in milliseconds: at most `eventMs`, and `deliveredEventMs` once all its deliveries are finished. */
      retention: {
        eventMs: settings.EVENT_DAYS * dayMs,
        deliveredEventMs: Math.min(settings.EVENT_DAYS, settings.DELIVERED_EVENT_DAYS) * dayMs,
      },
      sealingKey: settings.SEALING_KEY,
      /** Root keys to sign and seal codes and tokens. The previous key only verifies. */
      tokenKeys: { current: settings.TOKEN_KEY, previous: settings.TOKEN_KEY_PREVIOUS },
      /** Issuer of the authorization server; `undefined` locally, where the origin of the request is the issuer. */
      authUrl: settings.AUTH_URL,
      /** Client ids without a check value: those of the demo. */
      fixedClientIds: new Set(settings.FIXED_CLIENT_IDS.split(' ').filter(Boolean)),
      /** Requests per minute. Must equal `[[ratelimits]]` in wrangler.toml, which a Worker cannot read. */
      limits: {
        api: settings.API_PER_MINUTE,
        me: settings.ME_PER_MINUTE,
        failedAuth: settings.FAILED_AUTH_PER_MINUTE,
      },
    }));
};

export type Settings = z.output<ReturnType<typeof settingsSchema>>;

let schema: ReturnType<typeof settingsSchema> | undefined;
const checkedSettings = new WeakMap<object, Settings>();

/**
 * Returns the variables of the deployment, checked once per isolate. Throws if one is missing or unsafe (a deployment
 * with a local key or local receivers), so that such a Worker serves nothing.
 */
export function settingsOf(env: Env): Settings {
  let settings = checkedSettings.get(env);
  if (!settings) checkedSettings.set(env, (settings = (schema ??= settingsSchema()).parse(env)));
  return settings;
}
