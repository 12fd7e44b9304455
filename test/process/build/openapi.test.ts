import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document for a third-party validator', async () => {
    const response = await fetch(`${service.url}openapi.json`);
    const result = await new Validator().validate(await response.json());
    expect(result).toEqual({ valid: true });
  });
});
