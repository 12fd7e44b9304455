import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isPlainSvg, parseAccent } from '../base/brand.ts';
import { email } from '../base/codecs/fields/string-formats.ts';
import { nearestOf } from '../base/nearest.ts';

/** Where D1 can put a database (`wrangler d1 create --location`). */
const locations = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const;

/** Where the platform can bind databases and buckets to, and the places within. */
const jurisdictionLocations = {
  eu: ['weur', 'eeur'],
  fedramp: ['wnam', 'enam'],
} as const satisfies Record<string, readonly Location[]>;

const jurisdictions = ['eu', 'fedramp'] as const;

export type Location = (typeof locations)[number];

const host = z
  .string()
  .regex(/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
    error: 'Must be a host name in lower case, such as api.example.com.',
  })
  .refine((name) => !/\.(?:localhost|local|test|invalid)$/.test(name), 'Must be a public name.');

/** An SVG image, written out. {@link readDeployment} puts a file in its place. */
const svg = z
  .string()
  .max(5_000)
  .refine(isPlainSvg, 'Must be an SVG image, or the name of its file, without scripts and links.');

/** How the pages and mails look and call the service. */
const brandSchema = z.strictObject({
  name: z.string().min(1).max(60).optional(),
  /** One colour, or one for light and one for dark mode. */
  accent: z
    .string()
    .superRefine((text, context) => {
      const accent = parseAccent(text);
      if ('problem' in accent) context.addIssue({ code: 'custom', message: accent.problem });
    })
    .optional(),
  logo: svg.optional(),
  favicon: svg.optional(),
  /** The address for questions and support. */
  support: email.optional(),
});

const address = z.url({ protocol: /^https$/, error: 'Must be an https address.' });

const alertsSchema = z.strictObject({
  /** Takes a `POST` with an alert as JSON. */
  url: address,
  /** Called each minute in which the service is ready. */
  heartbeat: address.optional(),
  /** The address of OPERATIONS.md, for links in alerts. */
  runbook: address.optional(),
  /** A test store in which an order is placed every five minutes, and the SKU that it buys. */
  order: z.strictObject({ alias: z.string().min(1), sku_id: z.number().int().min(1) }).optional(),
});

const copiesSchema = z.strictObject({
  /** The address of the bucket by the S3 API: its host, and its name as the path. */
  url: address,
  region: z.string().min(1).default('auto'),
  /** The id of an access key; its secret is `COPIES_SECRET` of the secrets file. */
  access_id: z.string().min(1),
  /** Days that a copy stays after a later one. */
  days: z.number().int().min(1).max(365).default(30),
});

const deploymentSchema = z
  .strictObject({
    /** Name of the Worker, and the beginning of the names of all its resources. */
    name: z
      .string()
      // The longest resource name must fit into the 63 characters of a bucket or queue.
      .regex(/^[a-z][a-z0-9-]{1,39}$/, 'Must be 2 to 40 lower case letters, digits and hyphens.')
      .refine((name) => !name.endsWith('-local'), 'Must not be a local name.'),
    /** The host that the Worker serves. Its zone must be in the account. */
    host,
    /** Where all databases and buckets are. Chosen when they are created, for ever. */
    location: z.enum(locations),
    /** How many shards there are. */
    shards: z.int().min(1).max(1000),
    service_name: z.string().default('Service'),
    /** The Cloudflare account. Optional if the login has one. */
    account_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'Must be the 32 digits and letters of an account.')
      .optional(),
    /**
     * The jurisdiction in which all databases and buckets stay. Chosen when they are created, for
     * ever.
     */
    jurisdiction: z.enum(jurisdictions).optional(),
    /** Where the Worker runs: near its databases unless set. */
    placement: z
      .union([
        z.literal('callers'),
        z.string().regex(/^(?:aws|gcp|azure):[a-z0-9-]{3,40}$/, {
          error: 'Must be "callers", or a region of a cloud such as aws:us-east-1.',
        }),
      ])
      .optional(),
    /** Days that events are kept. */
    retention_days: z.number().int().min(1).max(365).default(30),
    /** Share of the invocations whose log is kept. Below 1, an alert line can be lost. */
    log_sampling: z.number().gt(0).max(1).default(1),
    /** More hosts that no webhook may call, besides `host`. */
    own_hosts: z.array(host).default([]),
    /** Shards that are being restored: nothing reads or writes them. */
    restoring_shards: z.array(z.number().int().nonnegative()).default([]),
    /**
     * The sender of mails. Its domain must be set up for sending. Without it no mails are sent:
     * they wait.
     */
    mail: z.strictObject({ from: email }).optional(),
    brand: brandSchema.default({}),
    /** Where alerts are posted. Without it they stand in the log only. */
    alerts: alertsSchema.optional(),
    /** A bucket of another account that gets a copy of each changed store at night. */
    copies: copiesSchema.optional(),
    /** Values for other variables of wrangler.toml, such as rate limits. */
    vars: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string()).default({}),
  })
  .refine(({ shards, restoring_shards: numbers }) => numbers.every((n) => n < shards), {
    path: ['restoring_shards'],
    error: 'Must name shards of this deployment.',
  })
  .superRefine(({ jurisdiction, location }, context) => {
    if (jurisdiction === undefined) return;
    const allowed: readonly Location[] = jurisdictionLocations[jurisdiction];
    if (allowed.includes(location)) return;
    const message = `Has only the locations ${allowed.join(', ')}.`;
    context.addIssue({ code: 'custom', path: ['jurisdiction'], message });
  });

/**
 * The choices of an operator about a deployment. Everything else follows from them and from
 * wrangler.toml.
 */
export type Deployment = z.output<typeof deploymentSchema>;

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Words what a schema has no sentence of its own for. */
function wordIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'Required.';
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `Must be one of ${issue.values.join(', ')}.`;
    case 'invalid_key':
      return 'Must have a name of capital letters, digits and underscores.';
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      const named = issue.keys.map((key) => {
        const [near] = nearestOf(key, known, 0.5);
        return near === undefined ? key : `${key} (the nearest is ${near})`;
      });
      return `Does not know ${named.join(', ')}.`;
    }
    case 'too_small':
    case 'too_big': {
      const [bound, limit] =
        issue.code === 'too_small' ? ['least', issue.minimum] : ['most', issue.maximum];
      if (limit === 1 && bound === 'least' && issue.origin !== 'number')
        return 'Must not be empty.';
      if (issue.origin === 'string') return `Must have at ${bound} ${limit} characters.`;
      if (issue.origin === 'array') return `Must have at ${bound} ${limit} entries.`;
      const isExclusive = issue.code === 'too_small' && issue.inclusive === false;
      return isExclusive ? `Must be more than ${limit}.` : `Must be at ${bound} ${limit}.`;
    }
    default:
      return undefined;
  }
}

/** Throws an error whose message can be shown to the operator. */
export function parseDeployment(value: unknown): Deployment {
  const { data, error } = deploymentSchema.safeParse(value, { error: wordIssue });
  if (data) return data;
  const problems = error.issues.map(
    ({ path, message }) => `${path.join('.') || '(file)'}: ${message}`,
  );
  throw new Error(`The deployment file is not valid.\n  ${problems.join('\n  ')}`);
}

/** Reads the deployment file. Throws an error whose message can be shown to the operator. */
export function readDeployment(path: string): Deployment {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${path} cannot be read. src/deploy/README.md shows what it contains.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${String(error)}`, { cause: error });
  }
  return parseDeployment(withImages(value, dirname(path)));
}

/** Puts the text of `brand.logo` and `brand.favicon` in the place of the names of their files. */
function withImages(value: unknown, folder: string): unknown {
  const { data } = namedImages.safeParse(value);
  if (!data) return value;
  const images = Object.entries(data.brand).flatMap(([key, name]) =>
    typeof name === 'string' && name.endsWith('.svg')
      ? [[key, readFileSync(join(folder, name), 'utf8').trim()]]
      : [],
  );
  return { ...data, brand: { ...data.brand, ...Object.fromEntries(images) } };
}

const namedImages = z.looseObject({ brand: z.looseObject({}) });
