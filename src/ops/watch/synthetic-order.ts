/** The names of the variables and secrets of a synthetic order. Without them none is placed. */
export interface OrderSettings {
  /** The alias of the test store in which it is placed. */
  ORDER_ALIAS?: string;
  /** The SKU that it buys; its stock is not managed, or it ends. */
  ORDER_SKU_ID?: string;
  ORDER_USER_TOKEN?: string;
  ORDER_USER_SECRET_KEY?: string;
}

/** The body of the order: always the same buyer, so that customers do not grow. */
export const syntheticOrder = (skuId: number) => ({
  customer: {
    email: 'synthetic-order@example.com',
    first_name: 'Synthetic',
    last_name: 'Order',
    type: 'f',
    cpf: '52998224725',
    phone: null,
  },
  items: [{ sku_id: skuId, quantity: 1 }],
  shipping_address: {
    receiver: 'Synthetic order',
    zipcode: '01310-100',
    street: 'Avenida Paulista',
    number: '1',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    complement: null,
    state: 'sp',
  },
});

/**
 * Places an order as a partner would: over the public address, with an API key. `key` is its
 * idempotency key. Returns the problem; `undefined` if the service answers 201. Throws if it does
 * not answer.
 */
export async function placeSyntheticOrder(
  { SERVICE_URL, ...env }: OrderSettings & { SERVICE_URL: string },
  { key, timeoutMs }: { key: string; timeoutMs: number },
): Promise<string | undefined> {
  const response = await fetch(`${SERVICE_URL}/v2/${env.ORDER_ALIAS}/orders`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      'User-Token': env.ORDER_USER_TOKEN ?? '',
      'User-Secret-Key': env.ORDER_USER_SECRET_KEY ?? '',
    },
    body: JSON.stringify(syntheticOrder(Number(env.ORDER_SKU_ID))),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return response.status === 201 ? undefined : `${response.status}: ${text.slice(0, 300)}`;
}
