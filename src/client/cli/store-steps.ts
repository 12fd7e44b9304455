/**
 * Calls an operation of one store: `call('POST /catalog/brands', {...})`. Returns the body; rejects
 * unless 2xx. Without a media type the body is JSON.
 */
export type CallApi = <T = Data<{ id: number }>>(
  request: string,
  body?: object,
  contentType?: string,
) => Promise<T>;

export interface Data<T> {
  data: T;
}

/**
 * A new product with one SKU of 12 units, in a brand of its own. Its stock was changed once by
 * hand.
 */
export async function createProductWithStock(call: CallApi, mark: string) {
  const { data: brand } = await call('POST /catalog/brands', {
    name: `Olaria ${mark}`,
    active: true,
  });
  const { data: product } = await call('POST /catalog/products', {
    name: `Caneca ${mark}`,
    simple: true,
    active: true,
    brand_id: brand.id,
    skus: [{ sku: `CAN-${mark}`, price_sale: 39.9, quantity: 10, quantity_managed: true }],
  });
  const { data: skus } = await call<Data<[{ id: number }]>>(
    `GET /catalog/products/${product.id}/skus`,
  );
  const skuId = skus[0].id;
  await call(`PUT /catalog/skus/${skuId}/stocks/1`, { delta: 2 });
  return { brandId: brand.id, productId: product.id, skuId };
}

/** The customer is invented; the CPF has valid check digits. */
export async function createCustomerWithAddress(call: CallApi, mark: string) {
  const { data: customer } = await call('POST /customers', {
    email: `clara.${mark}@cliente.test`,
    first_name: 'Clara',
    last_name: 'Exemplo',
    type: 'f',
    cpf: '529.982.247-25',
    phone: '+55 (11) 91234-5678',
    addresses: [
      {
        receiver: 'Clara Exemplo',
        zipcode: '01310-100',
        street: 'Rua do Exemplo',
        number: '1',
        neighborhood: 'Centro',
        city: 'São Paulo',
        state: 'SP',
      },
    ],
  });
  const { data: addresses } = await call<Data<[{ id: number }]>>(
    `GET /customers/${customer.id}/addresses`,
  );
  return { customerId: customer.id, addressId: addresses[0].id };
}

/** A cart of the customer with two units of the SKU. */
export async function postCart(call: CallApi, customerId: number, skuId: number) {
  const { data: cart } = await call('POST /checkout/carts', {
    customer_id: customerId,
    items: [{ sku_id: skuId, quantity: 2 }],
    shipping: { service: 'PAC', value: 12.5 },
  });
  return cart.id;
}

/** Orders a cart by card. The payment waits for its outcome. */
export async function orderByCard(call: CallApi, cartId: number, addressId: number) {
  const { data: order } = await call(`POST /checkout/carts/${cartId}/orders`, {
    payment_id: await paymentTypeId(call, 'credit_card'),
    shipping_address_id: addressId,
    holder_name: 'CLARA EXEMPLO',
  });
  const { data: transactions } = await call<Data<[{ id: number }]>>(
    `GET /orders/${order.id}/transactions`,
  );
  return { orderId: order.id, transactionId: transactions[0].id };
}

/** Pays an order whose first payment was refused, by pix. */
export async function payByPix(call: CallApi, orderId: number) {
  const { data: pix } = await call(`POST /orders/${orderId}/transactions`, {
    payment_id: await paymentTypeId(call, 'pix'),
  });
  await simulateOutcome(call, pix.id, 'pay');
}

/** Decides the outcome of a payment. Only test stores allow it. */
export const simulateOutcome = (call: CallApi, transactionId: number, outcome: 'pay' | 'refuse') =>
  call(`POST /checkout/transactions/${transactionId}/simulate`, { outcome });

/** Issues the invoice of a paid order. Returns its id. */
export async function postInvoice(call: CallApi, orderId: number) {
  const { data: invoice } = await call(`POST /orders/${orderId}/invoices`, {
    number: orderId,
    series: 1,
    access_key: `${Date.now()}`.padStart(44, '0'),
    value: 92.3,
    issued_at: new Date().toISOString(),
  });
  return invoice.id;
}

/** Corrects the series of an invoice. */
export const correctInvoice = (call: CallApi, orderId: number, invoiceId: number) =>
  call(`PUT /orders/${orderId}/invoices/${invoiceId}`, { series: 2 });

async function paymentTypeId(call: CallApi, name: string) {
  const { data: types } = await call<Data<{ id: number; alias: string }[]>>(
    'GET /checkout/payments?limit=100',
  );
  return types.find(({ alias }) => alias === name)?.id;
}
