import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import type { OpenApiDocument } from '../../src/http/openapi/types.ts';

/** As it is published: JSON has no shared objects and no undefined members. */
const text = JSON.stringify(getOpenApiDocument('Service', '/v2'));
const read = () => JSON.parse(text) as OpenApiDocument;

/**
 * Pairs of paths that the specification itself has. Its words `webhooks` and `statuses` are no ids,
 * so the router tells them apart; the rule compares only the shape.
 */
const ambiguousInSpecification = ['statuses', 'items', 'addresses', 'transactions', 'invoices'].map(
  (part) =>
    `Paths should resolve unambiguously. Found two ambiguous paths: \`/{alias}/orders/webhooks/{id}\` and \`/{alias}/orders/{id}/${part}\`.`,
);

/** Runs Spectral's rules for OpenAPI and returns what they say, warnings included. */
async function runSpectral(document: OpenApiDocument): Promise<string[]> {
  const linter = new spectral.Spectral();
  const ruleset = { extends: [rulesets.oas] };
  linter.setRuleset(ruleset as Parameters<typeof linter.setRuleset>[0]);
  const results = await linter.run(document as unknown as Record<string, unknown>);
  return results.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`);
}

/**
 * With the first reference to each shared error response, since the linter looks at one again
 * wherever it is used.
 */
function withSharedResponsesOnce(document: OpenApiDocument): OpenApiDocument {
  const seen = new Set<string>();
  for (const { responses } of Object.values(document.paths).flatMap(Object.values)) {
    for (const [status, response] of Object.entries(responses as Record<string, object>)) {
      if (!('$ref' in response)) continue;
      const name = String(response.$ref);
      if (seen.has(name)) delete (responses as Record<string, object>)[status];
      seen.add(name);
    }
  }
  return document;
}

describe('the OpenAPI document', () => {
  it('has no error and no warning of Redocly, except the paths of the specification', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ message }) => message)).toEqual(ambiguousInSpecification);
  });

  it('has no error and no warning of Spectral', async () => {
    expect(await runSpectral(withSharedResponsesOnce(read()))).toEqual([]);
  });

  it('would be refused by both for a missing description and an example that does not fit', async () => {
    const broken = read();
    // A few operations are enough to be refused.
    broken.paths = Object.fromEntries(Object.entries(broken.paths).slice(0, 3));
    Reflect.deleteProperty(broken.info, 'license');
    broken.tags.push({ name: 'Nowhere' });
    const media = broken.components.responses.NotFound?.content?.['application/json'];
    media!.examples = { wrong: { summary: 'Wrong', value: { status_code: 'x' } } };
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(broken), config });
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(['info-license', 'tag-description']),
    );
    expect((await runSpectral(withSharedResponsesOnce(broken))).join('\n')).toMatch(
      /^oas3-valid-media-example: .*NotFound/m,
    );
  });
});
