import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  approveConsent,
  connectApp,
  createTestApp,
  partnerRedirectUri,
  redemptionForm,
  refreshForm,
} from '../support/oauth/partner.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

const pairsOf = (form: Record<string, string | undefined>): Pairs =>
  Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined);

/** Requests an endpoint with parameters, and returns the error that it reports, if it does. */
async function request(path: string, pairs: Pairs) {
  const parameters = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  const isPage = path === '/oauth/authorize';
  const query = isPage ? `?${parameters.toString()}` : '';
  const response = await exports.default.fetch(`https://api.test${path}${query}`, {
    redirect: 'manual',
    ...(!isPage && { method: 'POST', body: parameters }),
  });
  const location = response.headers.get('Location');
  const text = await response.text();
  if (location !== null) return Object.fromEntries(new URL(location).searchParams);
  if (!isPage) return JSON.parse(text) as Record<string, string>;
  // An error page of this service, which no redirect may replace.
  return response.status === 400 ? { error: 'page', error_description: text } : {};
}

/** A valid request of each kind, made anew for each case since a code works once. */
const kinds: Record<string, () => Promise<readonly [path: string, pairs: Pairs]>> = {
  authorization: async () => {
    const { client_id } = await createTestApp();
    return [
      '/oauth/authorize',
      pairsOf({
        client_id,
        redirect_uri: partnerRedirectUri,
        response_type: 'code',
        response_mode: 'query',
        code_challenge: await sha256('v'.repeat(43)),
        code_challenge_method: 'S256',
        scope: 'catalog.read',
        state: 'xyz',
        resource: 'https://api.test/mcp',
      }),
    ];
  },
  redemption: async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp());
    return ['/oauth/token', pairsOf(redemptionForm(approved))];
  },
  refresh: async () => {
    const { app, tokens } = await connectApp(await createTestStore());
    const form = { ...refreshForm(app, tokens.refresh_token), scope: 'catalog.read' };
    return ['/oauth/token', pairsOf(form)];
  },
  revocation: async () => {
    const { app, tokens } = await connectApp(await createTestStore());
    return ['/oauth/revoke', pairsOf({ client_id: app.client_id, token: tokens.refresh_token })];
  },
};

/** A value that the parameter cannot have; the state is too long, and every token is malformed. */
const wrongValue = (name: string) => (name === 'state' ? 'x'.repeat(3_000) : 'no such value');

const changes: Record<string, (pairs: Pairs, name: string) => Pairs> = {
  missing: (pairs, name) => pairs.filter(([sent]) => sent !== name),
  twice: (pairs, name) => [...pairs, ...pairs.filter(([sent]) => sent === name)],
  wrong: (pairs, name) =>
    pairs.map(([sent, value]) => [sent, sent === name ? wrongValue(name) : value]),
};

/** Parameters that may be left out, and a token that is unknown: RFC 7009 answers it with 200. */
const accepted = new Set([
  'authorization response_mode missing',
  'authorization scope missing',
  'authorization state missing',
  'authorization resource missing',
  'refresh scope missing',
  'revocation token wrong',
]);

const cases = await Promise.all(
  Object.entries(kinds).map(async ([kind, make]) => {
    const [, pairs] = await make();
    return pairs.flatMap(([name]) =>
      Object.keys(changes).map((change) => ({ kind, name, change })),
    );
  }),
);

describe('error_description', () => {
  it.each(cases.flat())(
    'names the parameter: $kind, $name $change',
    async ({ kind, name, change }) => {
      const [path, pairs] = await kinds[kind]!();
      const { error, error_description } = await request(path, changes[change]!(pairs, name));
      if (accepted.has(`${kind} ${name} ${change}`)) {
        expect(error).toBeUndefined();
      } else {
        expect(error).toBeDefined();
        expect(error_description).toMatch(new RegExp(`\\b${name}\\b`));
        if (error !== 'page') expect(error_description).not.toContain(wrongValue(name));
      }
    },
  );

  it('covers every parameter of the metadata of four kinds of requests', () => {
    expect(cases.flat()).toHaveLength((9 + 5 + 4 + 2) * 3);
  });
});
