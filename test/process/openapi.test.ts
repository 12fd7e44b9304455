import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { startRuntime } from '../support/node/runtime.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-openapi-'));
let built: Bundle;
let runtime: Miniflare;

beforeAll(async () => {
  built = bundle();
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
});

afterAll(async () => {
  await runtime.dispose();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document for a validator that is not ours', async () => {
    const answer = await fetch(`${(await runtime.ready).href}openapi.json`);
    const result = await new Validator().validate(await answer.json());
    expect(result).toEqual({ valid: true });
  });
});
