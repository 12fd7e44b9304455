import { describe, expect, it } from 'vitest';
import { store } from '../support/store.ts';

describe('POST /{alias}/catalog/brands', () => {
  it('201 with the stored brand', async () => {
    const { api } = await store();
    const { status, body } = await api('POST /catalog/brands', { name: 'Ação  Livre', active: 1 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Ação  Livre',
      active: true,
      featured: false,
      description: null,
      logo_url: null,
    });
    expect(body.data.created_at.timezone).toBe('America/Sao_Paulo');
  });
});
