import * as z from 'zod';
import { isPlainSvg, parseAccent, type Brand } from './brand.ts';
import { email } from './codecs/fields/string-formats.ts';
import { findUnsafeKeys } from './crypto/root-keys.ts';
import { dayMs } from './durations.ts';

/** A wide network (/48 of IPv6) has this many times the limit of one network within it. */
const wideFactor = 10;

/** The stores that a user may own, and may make in 24 hours, unless the settings say otherwise. */
export const defaultStoreLimits = { perUser: 10, perDay: 3 } as const;

/**
 * How many registered agents may wait for their first consent, unless the settings say otherwise.
 */
export const defaultUnusedRegistrations = 5_000;

/**
 * Requests per minute of a deployment whose file says nothing else; wrangler.toml admits a million.
 */
export const deployedLimits = {
  API_PER_MINUTE: '600',
  ME_PER_MINUTE: '60',
  FAILED_AUTH_PER_MINUTE: '60',
  STORE_PER_MINUTE: '3000',
  PAGES_PER_MINUTE: '120',
  REVOCATIONS_PER_MINUTE: '30',
  REGISTRATIONS_PER_MINUTE: '10',
} as const;

/** A function: the schema is built with the first request, not at start-up. */
const settingsSchema = () => {
  const perMinute = z.coerce.number().int().min(1);
  const days = z.coerce.number().int().min(1).max(365);
  const rootKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'Must be 32 bytes in base64.');
  const svg = z
    .string()
    .max(5_000)
    .refine(
      (text) => text === '' || isPlainSvg(text),
      'Must be an SVG image without scripts and links.',
    )
    .default('');
  return z
    .object({
      DEPLOYMENT: z.enum(['local', 'production']),
      SERVICE_NAME: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/),
      ALLOW_LOCAL_RECEIVERS: z.stringbool(),
      OWN_HOSTS: z.string(),
      LOCAL_HOSTS: z.string().default(''),
      RESOLVER_URL: z.union([z.literal(''), z.url({ protocol: /^https$/ })]),
      RESTORING_SHARDS: z
        .string()
        .regex(/^(?:\d+(?: \d+)*)?$/)
        .default(''),
      ENDPOINT_LEASE_SECONDS: z.coerce.number().int().min(1).max(600),
      /** Below 60 only in tests. */
      DELIVERY_BATCH_SIZE: z.coerce.number().int().min(1).max(60).default(60),
      SEALING_KEY: rootKey,
      SEALING_KEY_PREVIOUS: rootKey.optional(),
      CHECK_KEY: rootKey,
      CHECK_KEY_PREVIOUS: z
        .string()
        .regex(/^[A-Za-z0-9+/]{43}=(?: [A-Za-z0-9+/]{43}=)*$/, {
          error: 'Must be keys of 32 bytes in base64.',
          abort: true,
        })
        .optional(),
      TOKEN_KEY: rootKey,
      TOKEN_KEY_PREVIOUS: rootKey.optional(),
      AUTH_URL: z
        .url({ protocol: /^https?$/ })
        .refine((url) => new URL(url).pathname === '/', 'Must not have a path.')
        .optional(),
      FIXED_CLIENT_IDS: z.string().default(''),
      BODY_DAYS: days.default(3),
      EVENT_DAYS: days,
      DELIVERED_EVENT_DAYS: days,
      READS_PER_LOG_LINE: z.coerce.number().int().min(1).max(1000).default(1),
      SUCCESSES_PER_ROW: z.coerce.number().int().min(0).max(100_000).default(0),
      EVENT_BUDGET_BYTES: z.coerce.number().int().min(1).default(200_000_000),
      API_PER_MINUTE: perMinute,
      ME_PER_MINUTE: perMinute,
      FAILED_AUTH_PER_MINUTE: perMinute,
      STORE_PER_MINUTE: perMinute,
      PAGES_PER_MINUTE: perMinute,
      REVOCATIONS_PER_MINUTE: perMinute,
      REGISTRATIONS_PER_MINUTE: perMinute,
      UNUSED_REGISTRATIONS: z.coerce.number().int().min(1).default(defaultUnusedRegistrations),
      READY_KEY: z.string().min(16).optional(),
      SETUP_TOKEN: z.string().min(32).optional(),
      SIGN_UP: z.enum(['closed', 'partners', 'everyone']).default('partners'),
      STORES_PER_USER: z.coerce.number().int().min(0).default(defaultStoreLimits.perUser),
      STORES_PER_DAY: z.coerce.number().int().min(0).default(defaultStoreLimits.perDay),
      METRICS_URL: z.union([z.literal(''), z.url({ protocol: /^https$/ })]).default(''),
      METRICS_DATASET: z
        .string()
        .regex(/^[a-z][a-z0-9_]*$/)
        .default('points'),
      METRICS_TOKEN: z.string().min(16).optional(),
      COPIES_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
      COPIES_REGION: z.string().default('auto'),
      COPIES_ACCESS_ID: z.string().default(''),
      COPIES_SECRET: z.string().min(16).optional(),
      COPY_DAYS: days.default(30),
      OPERATOR_MFA: z.enum(['required', 'off']).default('required'),
      MAIL_FROM: z.union([z.literal(''), email]).default(''),
      BRAND_NAME: z.string().max(60).default(''),
      BRAND_ACCENT: z.string().default(''),
      BRAND_LOGO: svg,
      BRAND_FAVICON: svg,
      SUPPORT_ADDRESS: z.union([z.literal(''), email]).default(''),
      LOCAL_ORIGIN: z.url().default('http://127.0.0.1:8787'),
    })
    .superRefine((settings, context) => {
      const accent = settings.BRAND_ACCENT === '' ? undefined : parseAccent(settings.BRAND_ACCENT);
      if (accent && 'problem' in accent)
        context.addIssue({ code: 'custom', path: ['BRAND_ACCENT'], message: accent.problem });
      if (settings.DEPLOYMENT === 'local') return;
      for (const { name, message } of findUnsafeValues(settings)) {
        context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .transform((settings) => ({
      isLocal: settings.DEPLOYMENT === 'local',
      serviceName: settings.SERVICE_NAME,
      allowLocalReceivers: settings.ALLOW_LOCAL_RECEIVERS,
      /** Hosts of this platform, in lower case, and the own one. Their subdomains count as well. */
      ownHosts: [
        ...parseHosts(settings.OWN_HOSTS),
        ...(settings.AUTH_URL === undefined ? [] : [new URL(settings.AUTH_URL).hostname]),
      ],
      /** Hosts that a local deployment serves besides loopback. */
      localHosts: parseHosts(settings.LOCAL_HOSTS),
      /** DNS over HTTPS (JSON). If empty, host names of receivers are not resolved. */
      resolverUrl: settings.RESOLVER_URL,
      leaseMs: settings.ENDPOINT_LEASE_SECONDS * 1000,
      /** Deliveries that one worker loads from an endpoint queue at once. */
      batchSize: settings.DELIVERY_BATCH_SIZE,
      /**
       * Retention of events in milliseconds: at most `eventMs`, and `deliveredEventMs` once all its
       * deliveries are finished. A body stays `bodyMs` or a little longer in the database, and then
       * in the archive.
       */
      retention: {
        bodyMs: settings.BODY_DAYS * dayMs,
        eventMs: settings.EVENT_DAYS * dayMs,
        deliveredEventMs: Math.min(settings.EVENT_DAYS, settings.DELIVERED_EVENT_DAYS) * dayMs,
      },
      /** One of so many successful reads is logged; other requests all are. */
      readsPerLogLine: settings.READS_PER_LOG_LINE,
      successesPerRow: settings.SUCCESSES_PER_ROW,
      /** Bytes of events and of stored responses that a store may record on a day of UTC. */
      eventBudget: settings.EVENT_BUDGET_BYTES,
      /**
       * Root keys that seal what is stored. The previous key only opens, until the sweep has sealed
       * everything again.
       */
      sealingKeys: { current: settings.SEALING_KEY, previous: settings.SEALING_KEY_PREVIOUS },
      /**
       * Root of the check values of client ids and idempotency keys, and the former roots, which
       * only check.
       */
      checkKey: settings.CHECK_KEY,
      formerCheckKeys: settings.CHECK_KEY_PREVIOUS?.split(' ') ?? [],
      /** Root keys to sign and seal codes and tokens. The previous key only verifies. */
      tokenKeys: { current: settings.TOKEN_KEY, previous: settings.TOKEN_KEY_PREVIOUS },
      /**
       * Issuer of the authorization server; `undefined` locally, where the origin of the request is
       * the issuer.
       */
      authUrl: settings.AUTH_URL,
      /** Client ids without a check value: those of the demo. */
      fixedClientIds: new Set(settings.FIXED_CLIENT_IDS.split(' ').filter(Boolean)),
      /**
       * Requests per minute. Must equal `[[ratelimits]]` in wrangler.toml, which a Worker cannot
       * read.
       */
      limits: {
        api: settings.API_PER_MINUTE,
        me: settings.ME_PER_MINUTE,
        store: settings.STORE_PER_MINUTE,
        failedAuth: settings.FAILED_AUTH_PER_MINUTE,
        failedAuthWide: settings.FAILED_AUTH_PER_MINUTE * wideFactor,
        pages: settings.PAGES_PER_MINUTE,
        pagesWide: settings.PAGES_PER_MINUTE * wideFactor,
        revocations: settings.REVOCATIONS_PER_MINUTE,
        registrations: settings.REGISTRATIONS_PER_MINUTE,
        registrationsWide: settings.REGISTRATIONS_PER_MINUTE * wideFactor,
      },
      /**
       * How many agents that registered themselves may wait for their first consent, in the whole
       * service.
       */
      maxUnusedAgents: settings.UNUSED_REGISTRATIONS,
      /** The key that `/ready` requires; `undefined` if everyone may see it. */
      readyKey: settings.READY_KEY,
      /** Where the data points are read; `undefined` without an address or a token. */
      metrics:
        settings.METRICS_URL !== '' && settings.METRICS_TOKEN !== undefined
          ? {
              url: settings.METRICS_URL,
              dataset: settings.METRICS_DATASET,
              token: settings.METRICS_TOKEN,
            }
          : undefined,
      /**
       * The bucket of another account that gets copies of the stores; `undefined` if there is none.
       */
      copies:
        settings.COPIES_URL !== '' &&
        settings.COPIES_ACCESS_ID !== '' &&
        settings.COPIES_SECRET !== undefined
          ? {
              url: settings.COPIES_URL.replace(/\/$/, ''),
              region: settings.COPIES_REGION,
              accessId: settings.COPIES_ACCESS_ID,
              secret: settings.COPIES_SECRET,
              keptMs: settings.COPY_DAYS * dayMs,
            }
          : undefined,
      /**
       * The token of the set-up link, which creates the first operator; `undefined` if there is
       * none.
       */
      setupToken: settings.SETUP_TOKEN,
      /** Who may create an account without an invitation. `everyone` may also create stores. */
      signUp: settings.SIGN_UP,
      /**
       * The stores that a user who is no operator may own in order to make another, and may make in
       * 24 hours.
       */
      storeLimits: { perUser: settings.STORES_PER_USER, perDay: settings.STORES_PER_DAY },
      /** Whether operators must have a second factor. Only a local configuration may do without. */
      isOperatorMfaRequired: settings.OPERATOR_MFA === 'required',
      /** The sender of mails; `undefined` if none are sent. */
      mailFrom: settings.MAIL_FROM || undefined,
      /** How pages and mails look and call the service. */
      brand: toBrand(settings),
      /** The origin of links in mails. */
      linkOrigin: new URL(settings.AUTH_URL ?? settings.LOCAL_ORIGIN).origin,
    }));
};

const toBrand = (settings: {
  SERVICE_NAME: string;
  BRAND_NAME: string;
  BRAND_ACCENT: string;
  BRAND_LOGO: string;
  BRAND_FAVICON: string;
  SUPPORT_ADDRESS: string;
}): Brand => {
  const accent = settings.BRAND_ACCENT === '' ? undefined : parseAccent(settings.BRAND_ACCENT);
  return {
    name: settings.BRAND_NAME || settings.SERVICE_NAME,
    accent: accent && 'problem' in accent ? undefined : accent,
    logo: settings.BRAND_LOGO || undefined,
    favicon: settings.BRAND_FAVICON || settings.BRAND_LOGO || undefined,
    supportAddress: settings.SUPPORT_ADDRESS || undefined,
  };
};

/**
 * Whether a host is this machine. No other name may stand for it: a public name can point at it
 * (DNS rebinding).
 */
export const isLoopbackHost = (host: string) =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const parseHosts = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/**
 * Variables that are fine for a local runtime only. A deployment with one of them serves nothing.
 */
function findUnsafeValues(settings: {
  ALLOW_LOCAL_RECEIVERS: boolean;
  AUTH_URL?: string | undefined;
  COPIES_URL: string;
  OPERATOR_MFA: 'required' | 'off';
  RESOLVER_URL: string;
  SEALING_KEY: string;
  SEALING_KEY_PREVIOUS?: string | undefined;
  CHECK_KEY: string;
  CHECK_KEY_PREVIOUS?: string | undefined;
  TOKEN_KEY: string;
  TOKEN_KEY_PREVIOUS?: string | undefined;
}): { name: string; message: string }[] {
  const { ALLOW_LOCAL_RECEIVERS, AUTH_URL, RESOLVER_URL } = settings;
  const { SEALING_KEY, SEALING_KEY_PREVIOUS, CHECK_KEY, TOKEN_KEY, TOKEN_KEY_PREVIOUS } = settings;
  const rules = [
    ['OPERATOR_MFA', settings.OPERATOR_MFA === 'off', 'Must be required in a deployment.'],
    ['ALLOW_LOCAL_RECEIVERS', ALLOW_LOCAL_RECEIVERS, 'Must be false in a deployment.'],
    ['AUTH_URL', !AUTH_URL?.startsWith('https://'), 'Must be the https address of the deployment.'],
    ['COPIES_URL', settings.COPIES_URL.startsWith('http:'), 'Must be an https address.'],
    ['RESOLVER_URL', RESOLVER_URL === '', 'Must name a resolver: names of receivers are checked.'],
  ] as const;
  return [
    ...rules.flatMap(([name, isUnsafe, message]) => (isUnsafe ? [{ name, message }] : [])),
    ...findUnsafeKeys({
      SEALING_KEY,
      SEALING_KEY_PREVIOUS,
      CHECK_KEY,
      TOKEN_KEY,
      TOKEN_KEY_PREVIOUS,
    }),
    ...(settings.CHECK_KEY_PREVIOUS?.split(' ') ?? []).flatMap((former) =>
      findUnsafeKeys({ CHECK_KEY, SEALING_KEY, TOKEN_KEY, CHECK_KEY_PREVIOUS: former }).filter(
        ({ name }) => name === 'CHECK_KEY_PREVIOUS',
      ),
    ),
  ];
}

export type Settings = z.output<ReturnType<typeof settingsSchema>>;

let schema: ReturnType<typeof settingsSchema> | undefined;
const checkedSettings = new WeakMap<object, Settings>();

/**
 * Returns the variables of the deployment, checked once per isolate. Throws if one is missing or
 * unsafe (such as a deployment with a local key), so that such a Worker serves nothing. The error
 * names variables, never values.
 */
export function settingsOf(env: Env): Settings {
  let settings = checkedSettings.get(env);
  if (!settings) checkedSettings.set(env, (settings = parseSettings(env)));
  return settings;
}

function parseSettings(env: Env): Settings {
  const { data, error } = (schema ??= settingsSchema()).safeParse(env);
  if (data) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Settings: ${problems.join(' ')}`);
}

/**
 * The address of this service without a final slash: that of the deployment, or the origin of the
 * request.
 */
export const serviceOrigin = (
  settings: Pick<Settings, 'authUrl'> | undefined,
  requestUrl: string,
): string => (settings?.authUrl ?? new URL(requestUrl).origin).replace(/\/$/, '');
