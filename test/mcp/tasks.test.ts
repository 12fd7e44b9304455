import { describe, expect, it } from 'vitest';
import '../support/fixtures/first-shard.ts';
import {
  createSellingStore,
  orderBody,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { requestTool } from '../support/mcp/assistant.ts';

/** An assistant that knows the general tools only, and counts what it reads. */
class Solver {
  calls = 0;
  bytes = 0;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ headers }: SellingStore) {
    this.#headers = headers;
  }

  async #use(tool: string, sent: Record<string, unknown>) {
    const result = await requestTool(tool, sent, { headers: this.#headers });
    this.calls += 1;
    this.bytes += new TextEncoder().encode(JSON.stringify(result.content)).length;
    return result;
  }

  /** Finds an operation by what a person would say. */
  async find(query: string): Promise<string[]> {
    const { structuredContent } = await this.#use('search_operations', { query });
    return structuredContent.operations.map(({ name }: { name: string }) => name);
  }

  /** Finds an operation, reads its description, and calls it. */
  async do(query: string, name: string, sent: object = {}) {
    const [first, ...others] = await this.find(query);
    if (first !== name) {
      if (!others.includes(name)) throw new Error(`${query}: found ${[first, ...others].join()}`);
      await this.#use('describe_operation', { name });
    }
    return this.call(name, sent);
  }

  async call(name: string, sent: object): Promise<ReturnType<typeof JSON.parse>> {
    const tool = /^(?:list|show|find|count|explain)_/.test(name) ? 'read' : 'change';
    const result = await this.#use(`${tool}_operation`, { name, arguments: sent });
    // A model reads the text.
    const answer = JSON.parse(result.content[0]?.text ?? '');
    if (!result.isError) return answer;
    if (answer.code !== 'confirmation_required')
      throw new Error(`${name}: ${JSON.stringify(answer)}`);
    // The person says yes.
    const [, word] = /confirm: "([^"]+)"/.exec(answer.hint) ?? [];
    return this.call(name, { ...sent, confirm: word });
  }
}

interface Task {
  words: string;
  /** The calls, and the bytes that an assistant reads at most. */
  limit: { calls: number; kilobytes: number };
  solve: (assistant: Solver, store: SellingStore) => Promise<unknown>;
}

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const tasks: Task[] = [
  {
    words: 'Raise the price of all blue shirts by 5 %.',
    limit: { calls: 2, kilobytes: 10.1 },
    solve: async (a, store) => {
      const sent = { filter: { q: 'camiseta' }, percent: 5 };
      await a.do('raise prices by percent', 'change_prices', sent);
      const { body } = await store.api(`GET /catalog/skus/${store.skuIds[0]}`);
      expect(body.data.price_sale).toBe(105);
    },
  },
  {
    words: 'Which orders of last week are unpaid?',
    limit: { calls: 2, kilobytes: 7.6 },
    solve: async (a) => {
      const date = `created_at:${day(7)}|${day(-1)}`;
      const sent = { status: ['waiting_payment'], date };
      const { data } = await a.do('list unpaid orders', 'list_orders', sent);
      expect(data).toHaveLength(1);
    },
  },
  {
    words: 'Where is the parcel of the buyer Maria?',
    limit: { calls: 2, kilobytes: 4.6 },
    solve: async (a) => {
      const sent = { q: 'maria', fields: ['id', 'track_code'] };
      const { data } = await a.do('find the order of a buyer by name', 'find_orders', sent);
      expect(data[0]).toHaveProperty('track_code');
    },
  },
  {
    words: 'How much did we sell this month, and what sold best?',
    limit: { calls: 2, kilobytes: 7.6 },
    solve: async (a) => {
      const { data } = await a.do('sales of this month by product', 'show_sales_summary');
      expect(data.orders).toBe(1);
    },
  },
  {
    words: 'What do I have to order again?',
    limit: { calls: 2, kilobytes: 5.6 },
    solve: async (a) => {
      const found = await a.do('products that run out of stock', 'list_low_stock', { below: 11 });
      expect(found.data).toHaveLength(3);
    },
  },
  {
    words: 'Twenty units of SKU-1 arrived.',
    limit: { calls: 2, kilobytes: 6.1 },
    solve: async (a, store) => {
      const sent = { items: [{ sku: 'SKU-1', delta: 20 }] };
      await a.do('add units to a stock', 'change_stocks', sent);
      const { body } = await store.api(`GET /catalog/skus/${store.skuIds[1]}/stocks`);
      expect(body.data[0].quantity).toBe(29);
    },
  },
  {
    words: 'The order of Maria is with the carrier, tracking number BR123.',
    limit: { calls: 5, kilobytes: 15.3 },
    solve: async (a, store) => {
      const sent = { q: 'maria', fields: ['id', 'status'] };
      const { data } = await a.do('find the order of a buyer by name', 'find_orders', sent);
      const { id } = data.find(
        ({ status }: { status: { data: { alias: string } } }) => status.data.alias === 'paid',
      );
      // An order goes through each status; the error of a jump names those that may follow.
      await a.do('set the tracking code of an order', 'update_order', { id, status: 'invoiced' });
      await a.call('update_order', { id, status: 'on_carriage', track_code: 'BR123' });
      const { body } = await store.api(`GET /orders/${id}`);
      expect(body.data).toMatchObject({ track_code: 'BR123', date_delivery: null });
    },
  },
  {
    words: 'Why does my webhook fail?',
    limit: { calls: 4, kilobytes: 9.3 },
    solve: async (a, store) => {
      const url = 'http://127.0.0.1:9/unreachable';
      const hook = { name: 'ERP', url, events: ['order.paid'] };
      expect((await store.api('POST /webhooks', hook)).body).toHaveProperty('data');
      const { data } = await a.do('list webhooks', 'list_webhooks', { fields: ['id', 'url'] });
      const sent = { id: data[0].id };
      const explained = await a.do('why does my webhook fail', 'explain_webhook_failures', sent);
      expect(explained.data.state).toBeDefined();
    },
  },
  {
    words: 'Take the rude comment off the shop.',
    limit: { calls: 4, kilobytes: 11.5 },
    solve: async (a, store) => {
      const product_id = (await store.api('GET /catalog/products')).body.data[0].id;
      const texts = { name: 'X', email: 'x@x.test', message: 'rude' };
      const comment = { product_id, ...texts, approved: true };
      expect((await store.api('POST /catalog/comments', comment)).body.status_code).toBeUndefined();
      const fields = ['id', 'product_id', 'name', 'email', 'message'];
      const { data } = await a.do('comments of buyers', 'list_comments', { fields });
      // The change takes all fields, as they were read.
      await a.do('hide a comment', 'update_comment', { ...data[0], approved: false });
      const { body } = await store.api(`GET /catalog/comments/${data[0].id}`);
      expect(body.data).toMatchObject([{ ...comment, approved: false }]);
    },
  },
  {
    words: 'Prepare a blue cap of the brand Brand for 49.90, ten units, not yet on sale.',
    limit: { calls: 4, kilobytes: 19.2 },
    solve: async (a) => {
      const { data } = await a.do('find a brand', 'list_brands', { search: 'name:Brand' });
      const sku = { sku: 'BONE-AZUL', price_sale: 49.9, quantity: 10, quantity_managed: true };
      const sent = { name: 'Bone azul', simple: true, active: false, brand_id: data[0].id };
      await a.do('add a product', 'create_product', { ...sent, skus: [sku] });
    },
  },
  {
    words: 'Name and price of all products of the brand Brand.',
    limit: { calls: 4, kilobytes: 13.4 },
    solve: async (a) => {
      const brands = await a.do('list brands', 'list_brands', { search: 'name:Brand' });
      const fields = ['name', 'skus.data.price_sale'];
      const sent = { brand_id: brands.data[0].id, include: 'skus', fields };
      const { data } = await a.do('list products of a brand', 'list_products', sent);
      expect(data[0].skus.data[0]).toEqual({ price_sale: 100 });
    },
  },
  {
    words: 'Who are my best customers?',
    limit: { calls: 2, kilobytes: 6.8 },
    solve: async (a, store) => {
      const { data } = await a.do('best customers', 'show_sales_summary');
      expect(data.customers[0].customer_id).toBe(store.customerId);
    },
  },
  {
    words: 'Which customers live in São Paulo?',
    limit: { calls: 2, kilobytes: 6.8 },
    solve: async (a) => {
      const found = await a.do('customers in a city', 'list_customers', { city: 'sao paulo' });
      expect(found.data).toHaveLength(1);
    },
  },
  {
    words: 'Delete the brand Brand, which one product has.',
    limit: { calls: 5, kilobytes: 9.7 },
    solve: async (a, store) => {
      const { data } = await a.do('find a brand', 'list_brands', { search: 'name:Brand' });
      const { id } = data[0];
      // The refusal that asks the person is a call.
      await a.do('delete a brand', 'delete_brand', { id });
      expect((await store.api(`GET /catalog/brands/${id}`)).status).toBe(404);
    },
  },
  {
    words: 'Maria has another phone: +55 11 98888-7777.',
    limit: { calls: 4, kilobytes: 12.5 },
    solve: async (a, store) => {
      const { data } = await a.do('find a customer by name', 'list_customers', { q: 'maria' });
      const sent = { id: data[0].id, phone: '+55 11 98888-7777' };
      await a.do('update the phone of a customer', 'update_customer', sent);
      const { body } = await store.api(`GET /customers/${store.customerId}`);
      expect(body.data.phone).toMatch(/98888.?7777/);
    },
  },
  {
    words: 'What lies in the carts of this month?',
    limit: { calls: 2, kilobytes: 7.1 },
    solve: async (a, store) => {
      const sku_id = store.skuIds[0];
      const cart = { items: [{ sku_id, quantity: 2 }] };
      expect((await store.api('POST /checkout/carts', cart)).status).toBe(201);
      const { data } = await a.do('abandoned carts', 'list_carts', { include: ['items'] });
      expect(data[0].items.data[0].quantity).toBe(2);
    },
  },
  {
    words: 'What did the assistants change?',
    limit: { calls: 4, kilobytes: 11.0 },
    solve: async (a) => {
      await a.do('create a brand', 'create_brand', { name: 'Made by an assistant', active: true });
      const { data } = await a.do('what did assistants change', 'list_activity');
      expect(data[0].action).toBe('createBrand');
    },
  },
  {
    words: 'Refund the payment of the order of Maria.',
    limit: { calls: 5, kilobytes: 18.1 },
    solve: async (a, store) => {
      const sent = { include: ['transactions'], status: ['paid'] };
      const { data } = await a.do('list paid orders', 'list_orders', sent);
      const { id } = data[0].transactions.data[0];
      await a.do('refund a payment', 'cancel_transaction', { id });
      const { body } = await store.api(`GET /checkout/transactions/${id}`);
      expect(JSON.stringify(body)).toContain('"cancelled":true');
    },
  },
  {
    words: 'Rename the category Cafe to "Special coffee".',
    limit: { calls: 4, kilobytes: 17.6 },
    solve: async (a, store) => {
      const made = await store.api('POST /catalog/categories', { name: 'Cafe', active: true });
      const { data } = await a.do('find a category', 'list_categories', { search: 'name:Cafe' });
      const { id, active } = data[0];
      await a.do('rename a category', 'update_category', { id, active, name: 'Special coffee' });
      const { body } = await store.api(`GET /catalog/categories/${made.body.id}`);
      expect(body.name).toBe('Special coffee');
    },
  },
  {
    words: 'Make a coupon of 10 %.',
    limit: { calls: 1, kilobytes: 0.2 },
    solve: async (a) => {
      expect(await a.find('create a coupon')).toEqual([]);
    },
  },
  {
    words: 'Quais pedidos de hoje ainda não foram pagos?',
    limit: { calls: 2, kilobytes: 7.8 },
    solve: async (a) => {
      const sent = { status: ['waiting_payment'], date: `created_at:${day(1)}|${day(-1)}` };
      const { data } = await a.do('pedidos de hoje não pagos', 'list_orders', sent);
      expect(data).toHaveLength(1);
    },
  },
  {
    words: 'Quanto vendi este mês, por dia?',
    limit: { calls: 2, kilobytes: 5.0 },
    solve: async (a) => {
      const { data } = await a.do('vendas por dia', 'show_sales_summary');
      expect(data.days.length).toBeGreaterThan(20);
    },
  },
  {
    words: 'Aumente em 10 % o preço de todas as camisetas.',
    limit: { calls: 2, kilobytes: 10.1 },
    solve: async (a, store) => {
      const sent = { filter: { q: 'camiseta' }, percent: 10 };
      await a.do('aumentar preços em 10 %', 'change_prices', sent);
      const { body } = await store.api(`GET /catalog/skus/${store.skuIds[0]}`);
      expect(body.data.price_sale).toBe(110);
    },
  },
  {
    words: 'Quantas unidades tenho da SKU-1?',
    limit: { calls: 2, kilobytes: 3.1 },
    solve: async (a) => {
      const sent = { below: 100, fields: 'sku,quantity' };
      const { data } = await a.do('quantas unidades em estoque', 'list_low_stock', sent);
      expect(data).toContainEqual({ sku: 'SKU-1', quantity: 9 });
    },
  },
  {
    words: 'Coloque a marca Brand em destaque.',
    limit: { calls: 4, kilobytes: 11.1 },
    solve: async (a, store) => {
      const { data } = await a.do('procurar uma marca', 'list_brands', { search: 'name:Brand' });
      const { id, name, active } = data[0];
      const sent = { id, name, active, featured: true };
      await a.do('alterar uma marca', 'update_brand', sent);
      const { body } = await store.api(`GET /catalog/brands/${id}`);
      expect(body.featured).toBe(true);
    },
  },
  {
    words: 'Quem comprou a camiseta?',
    limit: { calls: 2, kilobytes: 8.7 },
    solve: async (a) => {
      const fields = ['customer', 'items.data.name'];
      const sent = { include: 'items,customer', fields };
      const { data } = await a.do('quem comprou um produto', 'list_orders', sent);
      expect(data[0].items.data[0].name).toBe('Camiseta');
      expect(data[0].customer.data.first_name).toContain('Maria');
    },
  },
  {
    words: 'Esconda do site a camiseta (só simule).',
    limit: { calls: 4, kilobytes: 17.7 },
    solve: async (a, store) => {
      const { data } = await a.do('procurar um produto', 'list_products', { q: 'camiseta' });
      const sent = { id: data[0].id, active: false, dry_run: true };
      expect(await a.do('esconder um produto', 'update_product', sent)).toEqual({ dry_run: true });
      expect((await store.api('GET /catalog/products')).body.data[0].active).toBe(true);
    },
  },
  {
    words: 'Cadastre o cliente João da Silva, joao@cliente.test, CPF 111.444.777-35.',
    limit: { calls: 2, kilobytes: 7.7 },
    solve: async (a) => {
      const names = { first_name: 'João', last_name: 'da Silva', email: 'joao@cliente.test' };
      const sent = { ...names, type: 'f', cpf: '111.444.777-35', phone: '+55 11 91234-5679' };
      await a.do('cadastrar cliente', 'create_customer', sent);
    },
  },
  {
    words: 'Quais formas de pagamento estão ativas?',
    limit: { calls: 2, kilobytes: 7.2 },
    solve: async (a) => {
      const { data } = await a.do('formas de pagamento', 'list_payments');
      expect(data.every((type: { active_config: boolean }) => type.active_config)).toBe(true);
    },
  },
  {
    words: 'Avise https://erp.example.com/hook quando um pedido for pago.',
    limit: { calls: 2, kilobytes: 7.6 },
    solve: async (a, store) => {
      const sent = { name: 'ERP', url: 'https://erp.example.com/hook', events: ['order.paid'] };
      await a.do('avisar meu sistema quando um pedido for pago', 'create_webhook', sent);
      expect((await store.api('GET /webhooks')).body.data).toHaveLength(1);
    },
  },
];

describe('an assistant with the general tools', () => {
  it.each(tasks)('solves without a wrong call: $words', async ({ limit, solve }) => {
    const store = await createSellingStore({ skus: 3 });
    await store.api(
      'POST /orders',
      orderBody(store, { payment_id: store.payments.pix, status: 'paid' }),
    );
    await store.api('POST /orders', orderBody(store));
    const assistant = new Solver(store);
    await solve(assistant, store);
    const { calls, bytes } = assistant;
    expect(calls).toBe(limit.calls);
    expect(bytes / 1000).toBeLessThanOrEqual(limit.kilobytes);
  });
});
