import { ApiError, client } from 'online-store-administration-client';

const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
});

/** Renames a brand. After a concurrent change, reads it again and decides anew. */
async function rename(id: number, name: string): Promise<void> {
  for (;;) {
    const { data: brand, etag } = await shop.brands.show(id).withResponse();
    if (brand.name === name) return;
    try {
      await shop.brands.update(
        id,
        { name, active: brand.active },
        etag === undefined ? {} : { ifMatch: etag },
      );
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
    }
  }
}

await rename(1, 'Serra Azul');
console.log('Renamed brand 1 to Serra Azul');
