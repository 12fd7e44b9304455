import { describe, expect, it } from 'vitest';
import '../support/fixtures/first-shard.ts';
import readme from '../../src/mcp/README.md?raw';
import {
  createSellingStore,
  orderBody,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { requestTool } from '../support/mcp/assistant.ts';

/** An assistant that knows the three tools only, and counts what it reads. */
class Solver {
  calls = 0;
  readonly called: string[] = [];
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

  /** Finds a tool by what a person would say, and reads how it is called. */
  async learn(query: string, wanted: string) {
    const found = await this.#use('search_operations', { query });
    const names = found.structuredContent.operations.map(({ name }: { name: string }) => name);
    if (!names.includes(wanted)) throw new Error(`${query}: found ${names.join(', ')}`);
    await this.#use('describe_operation', { name: wanted });
  }

  async call(name: string, sent: object) {
    this.called.push(name);
    const result = await this.#use('call_operation', { name, arguments: sent });
    // A model reads the text.
    const text = result.content[0]?.text ?? '';
    if (result.isError) throw new Error(`${name}: ${text}`);
    return JSON.parse(text);
  }
}

interface Task {
  words: string;
  solve: (assistant: Solver, store: SellingStore) => Promise<unknown>;
}

const tasks: Task[] = [
  {
    words: 'Raise the price of all blue shirts by 5 %.',
    solve: async (a, store) => {
      await a.learn('find products by name', 'list_products');
      const { data } = await a.call('list_products', {
        name: 'camiseta',
        include: ['skus'],
        fields: ['id', 'name', 'skus'],
      });
      await a.learn('change prices of many variants', 'change_prices');
      const blue = data.flatMap(
        ({ skus }: { skus: { data: { id: number; price_sale: number }[] } }) => skus.data,
      );
      const items = blue.map(({ id, price_sale }: { id: number; price_sale: number }) => ({
        sku_id: id,
        price_sale: Math.round(price_sale * 105) / 100,
      }));
      await a.call('change_prices', { items });
      const { body } = await store.api(`GET /catalog/skus/${store.skuIds[0]}`);
      expect(body.data.price_sale).toBe(105);
    },
  },
  {
    words: 'Which orders of last week are unpaid?',
    solve: async (a) => {
      await a.learn('list unpaid orders', 'list_orders');
      const day = (daysAgo: number) =>
        new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
      const { data } = await a.call('list_orders', {
        status: ['waiting_payment'],
        date: `created_at:${day(7)}|${day(-1)}`,
      });
      expect(data).toHaveLength(1);
    },
  },
  {
    words: 'Where is the parcel of the buyer Maria?',
    solve: async (a) => {
      await a.learn('find the order of a buyer by name', 'find_orders');
      const { data } = await a.call('find_orders', { q: 'maria', fields: ['id', 'track_code'] });
      expect(data[0]).toHaveProperty('track_code');
    },
  },
  {
    words: 'How much did we sell this month, and what sold best?',
    solve: async (a) => {
      await a.learn('sales of this month by product', 'show_sales_summary');
      const { data } = await a.call('show_sales_summary', {});
      expect(data.orders).toBe(1);
    },
  },
  {
    words: 'What do I have to order again?',
    solve: async (a) => {
      await a.learn('products that run out of stock', 'list_low_stock');
      const { data } = await a.call('list_low_stock', { below: 11 });
      expect(data).toHaveLength(3);
    },
  },
  {
    words: 'Twenty units of SKU-1 arrived.',
    solve: async (a, store) => {
      await a.learn('add units to a stock', 'change_stocks');
      await a.call('change_stocks', { items: [{ sku: 'SKU-1', delta: 20 }] });
      const { body } = await store.api(`GET /catalog/skus/${store.skuIds[1]}/stocks`);
      expect(body.data[0].quantity).toBe(29);
    },
  },
  {
    words: 'The order of Maria is with the carrier, tracking number BR123.',
    solve: async (a, store) => {
      await a.learn('find the order of a buyer by name', 'find_orders');
      const { data } = await a.call('find_orders', { q: 'maria', fields: ['id', 'status'] });
      await a.learn('set the tracking code of an order', 'update_order');
      const { id } = data.find(
        ({ status }: { status: { data: { alias: string } } }) => status.data.alias === 'paid',
      );
      // An order goes through each status; the error of a jump names those that may follow.
      await a.call('update_order', { id, status: 'handling_products', fields: ['id'] });
      await a.call('update_order', { id, status: 'ready_for_shipping', fields: ['id'] });
      await a.call('update_order', { id, status: 'on_carriage', track_code: 'BR123' });
      const { body } = await store.api(`GET /orders/${id}`);
      expect(body.data).toMatchObject({ track_code: 'BR123', date_delivery: null });
    },
  },
  {
    words: 'Why does my webhook fail?',
    solve: async (a, store) => {
      const url = 'http://127.0.0.1:9/unreachable';
      const hook = { name: 'ERP', url, events: ['order.paid'] };
      expect((await store.api('POST /webhooks', hook)).body).toHaveProperty('data');
      await a.learn('why does my webhook fail', 'explain_webhook_failures');
      await a.learn('list webhooks', 'list_webhooks');
      const { data } = await a.call('list_webhooks', { fields: ['id', 'url'] });
      const explained = await a.call('explain_webhook_failures', { id: data[0].id });
      expect(explained.data.state).toBeDefined();
    },
  },
  {
    words: 'Take the rude comment off the shop.',
    solve: async (a, store) => {
      const product = (await store.api('GET /catalog/products')).body.data[0].id;
      const comment = {
        product_id: product,
        name: 'X',
        email: 'x@x.test',
        message: 'rude',
        approved: true,
      };
      expect((await store.api('POST /catalog/comments', comment)).body.status_code).toBeUndefined();
      await a.learn('comments of buyers', 'list_comments');
      const fields = ['id', 'product_id', 'name', 'email', 'message'];
      const { data } = await a.call('list_comments', { fields });
      await a.learn('hide a comment', 'update_comment');
      // The change takes all fields, as they were read.
      const { id, product_id, name, email, message } = data[0];
      const sent = { id, product_id, name, email, message, approved: false };
      await a.call('update_comment', sent);
      const { body } = await store.api(`GET /catalog/comments/${id}`);
      expect(body.data).toMatchObject([{ ...comment, approved: false }]);
    },
  },
  {
    words: 'Prepare a blue cap of the brand Brand for 49.90, ten units, not yet on sale.',
    solve: async (a) => {
      await a.learn('find a brand', 'list_brands');
      const { data } = await a.call('list_brands', {
        search: 'name:Brand',
        fields: ['id', 'name'],
      });
      await a.learn('add a product', 'create_product');
      await a.call('create_product', {
        name: 'Bone azul',
        simple: true,
        active: false,
        brand_id: data[0].id,
        skus: [{ sku: 'BONE-AZUL', price_sale: 49.9, quantity: 10, quantity_managed: true }],
      });
    },
  },
];

/** The tasks of the table in `src/mcp/README.md`, with their calls and the bytes that an assistant reads at most. */
const budgets = new Map(
  [...readme.matchAll(/^\| (.+?) \| (?:`[a-z_]+`(?:, )?)+ \| (\d+) \| ([\d.]+) KB \|$/gm)].map(
    ([, words = '', calls, kilobytes]) => [
      words,
      { calls: Number(calls), kilobytes: Number(kilobytes) },
    ],
  ),
);

describe('an assistant with the three tools', () => {
  it.each(tasks)('solves: $words', async ({ words, solve }) => {
    const store = await createSellingStore({ skus: 3 });
    await store.api(
      'POST /orders',
      orderBody(store, { payment_id: store.payments.pix, status: 'paid' }),
    );
    await store.api('POST /orders', orderBody(store));
    const assistant = new Solver(store);
    await solve(assistant, store);
    const { calls, bytes } = assistant;
    expect(calls).toBe(budgets.get(words)?.calls);
    expect(bytes / 1000).toBeLessThanOrEqual(budgets.get(words)?.kilobytes ?? 0);
  });
});
