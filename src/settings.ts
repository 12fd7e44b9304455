import * as z from 'zod';

/** The key that wrangler.toml carries for the local runtime; anyone can read it. */
const localSealingKey = 'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=';

/** The same for the keys of codes and tokens. */
const localTokenKey = 'bG9jYWwtdG9rZW4ta2V5LW5ldmVyLWluLXByb2R1Y3Q=';
const dayMs = 86_400_000;

/** A function: its schemas are used once. */
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
      RESTORING: z
        .string()
        .regex(/^(?:\d+(?: \d+)*)?$/)
        .default(''),
      LANE_LEASE_SECONDS: z.coerce.number().int().min(1).max(600),
      /** Of a lane, at once; less only to be looked at. */
      LANE_PAGE: z.coerce.number().int().min(1).max(60).default(60),
      SEALING_KEY: z.base64().length(44),
      TOKEN_KEY: z.base64().length(44),
      TOKEN_KEY_PREVIOUS: z.base64().length(44).optional(),
      AUTH_URL: z
        .url({ protocol: /^https?$/ })
        .refine((url) => new URL(url).pathname === '/', 'Has no path.')
        .optional(),
      NAMED_CLIENTS: z.string().default(''),
      EVENT_DAYS: days,
      DELIVERED_EVENT_DAYS: days,
      API_PER_MINUTE: perMinute,
      ME_PER_MINUTE: perMinute,
      REFUSED_PER_MINUTE: perMinute,
    })
    .refine(
      (settings) =>
        settings.DEPLOYMENT === 'local' ||
        (!settings.ALLOW_LOCAL_RECEIVERS &&
          settings.SEALING_KEY !== localSealingKey &&
          settings.TOKEN_KEY !== localTokenKey &&
          settings.AUTH_URL?.startsWith('https://')),
      'A deployment needs an address and keys of its own and must not allow local receivers.',
    )
    .transform((settings) => ({
      isLocal: settings.DEPLOYMENT === 'local',
      serviceName: settings.SERVICE_NAME,
      allowLocalReceivers: settings.ALLOW_LOCAL_RECEIVERS,
      /** Hosts that belong to this platform, in lower case; what is below them does too. */
      ownHosts: settings.OWN_HOSTS.toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
      /** DNS over HTTPS, JSON form; empty: names of receivers are not resolved. */
      resolverUrl: settings.RESOLVER_URL,
      leaseMs: settings.LANE_LEASE_SECONDS * 1000,
      /** Deliveries that a consumer takes of a lane at once. */
      pageSize: settings.LANE_PAGE,
      /** How long an event is kept, at most and once every delivery of it is over, in milliseconds. */
      retention: {
        eventMs: settings.EVENT_DAYS * dayMs,
        deliveredEventMs: Math.min(settings.EVENT_DAYS, settings.DELIVERED_EVENT_DAYS) * dayMs,
      },
      sealingKey: settings.SEALING_KEY,
      /** Root of the keys that sign and seal codes and tokens; the previous one only verifies. */
      tokenKeys: { current: settings.TOKEN_KEY, previous: settings.TOKEN_KEY_PREVIOUS },
      /** Issuer of the authorization server; `undefined` locally, where the address of the request is it. */
      authUrl: settings.AUTH_URL,
      /** Client ids of the demo, which carry no check value of their own. */
      namedClients: new Set(settings.NAMED_CLIENTS.split(' ').filter(Boolean)),
      /** The same numbers as in `[[ratelimits]]`, which a Worker cannot read. */
      limits: {
        api: settings.API_PER_MINUTE,
        me: settings.ME_PER_MINUTE,
        refused: settings.REFUSED_PER_MINUTE,
      },
    }));
};

export type Settings = z.output<ReturnType<typeof settingsSchema>>;

const known = new WeakMap<object, Settings>();

/**
 * The variables of the deployment, checked once per isolate. Throws when one is missing or unsafe (a
 * deployed configuration with the local key or with local receivers), so that such a Worker serves nothing.
 */
export function settingsOf(env: Env): Settings {
  let settings = known.get(env);
  if (!settings) known.set(env, (settings = settingsSchema().parse(env)));
  return settings;
}
