type Values = readonly (readonly [pattern: RegExp, value: unknown])[];

/** Example values by member name. The first one of the right type is used. */
export const commonValues: Values = [
  [/^events$/, ['order.paid', 'product.updated']],
  [/^secret_key$/, 'whsec_bG9uZy1yYW5kb20tYnl0ZXMtYXMtYmFzZTY0LXRleHQ='],
  [/(image|logo|icon|avatar)_url$/, 'https://cdn.example.com/images/1.png'],
  [/^base_url$/, 'https://demo.shop.example'],
  [/url$|^link$/, 'https://shop.example.com/page'],
  [/email|^from$|^username$/, 'ana@example.com'],
  [/^(blocked_sale|super_user|is_digital|custom_shipping|has_variations|backup)$/, false],
  [/^domains_list$/, ['demo.shop.example']],
  [/^tags$/, ['clothing']],
  [/^host$/, 'smtp.example.com'],
  [/^port$/, 587],
  [/^alias$/, 'demo'],
  [/^slug$/, 'blue-t-shirt'],
  [/^sku$/, 'TSHIRT-BLUE-M'],
  [/^(first_name|receiver)$/, 'Ana'],
  [/^last_name$/, 'Souza'],
  [/^street$/, 'Avenida Paulista'],
  [/^number$/, '1000'],
  [/^neighborhood$/, 'Bela Vista'],
  [/^city$/, 'São Paulo'],
  [/^description$|comment$|^text$/, 'Cotton, made in Brazil.'],
  [/colou?r$/, '#1A2B3C'],
  [/^quantity$|^total_in_stock$/, 25],
  [/^price_sale$|^amount$|^price$/, 129.9],
  [/^price_cost$/, 61.5],
  [/^name$/, 'Blue T-shirt'],
  [/^title$/, 'Blue, M'],
  [/^value$/, 'Blue'],
  [/_ids$|^ids$/, [4, 8, 15]],
  [/^created_at_timestamp$/, 1_930_478_647],
  [/^(total_pages|current_page|count|total)$/, 1],
  [/^per_page$/, 10],
  [/^(previous|next)$/, ''],
];

/** Values for one kind of record, by the last words of the record's or the operation's name. */
const recordValues: Record<string, Record<string, unknown>> = {
  Affiliation: { name: 'Manual' },
  Brand: { name: 'Aurora', slug: 'aurora', description: 'Clothes for every day.' },
  Bundle: { name: 'Summer kit' },
  Bundles: { name: 'Summer kit' },
  Category: { name: 'Shirts', slug: 'shirts' },
  Collection: { name: 'Summer', slug: 'summer' },
  Comment: { name: 'Ana Souza' },
  Customization: { name: 'Engraving' },
  EmailConfiguration: { name: 'Demo store' },
  Emails: { name: 'Demo store' },
  EventDescription: { name: 'order.created', description: 'Order created' },
  Export: { state: 'done', reason: null, bytes: 734_003, total: 500, done: 500 },
  Feed: { name: 'Price comparison' },
  Filter: { name: 'Colour' },
  FilterOption: { name: 'Blue', color: '#1A2B3C' },
  FilterOptionRead: { name: 'Blue', color: '#1A2B3C' },
  FilterValue: { name: 'Blue' },
  Flag: { name: 'New' },
  Gateway: { alias: 'manual', name: 'Manual' },
  Import: {
    state: 'running',
    reason: null,
    bytes: 734_003,
    total: 500,
    done: 120,
    created: 12,
    updated: 80,
    unchanged: 26,
    failed: 2,
    errors_left_out: 0,
    finished_at: null,
  },
  ImportError: { line: 17, field: 'skus.0.price_sale', message: 'Must be a number from 0.' },
  ImportInput: { name: 'Blue T-shirt', slug: 'blue-t-shirt' },
  Invoice: { access_key: '35310312345678000195550010000000011000000016', status: 'issued' },
  Merchant: { name: 'Demo', type: 'store' },
  OrderHistory: { alias: 'paid', name: 'Paid' },
  OrderState: { alias: 'paid', name: 'Paid', next: ['handling_products'] },
  OrderStatusRecord: { alias: 'paid', name: 'Paid' },
  Payment: { alias: 'pix', name: 'Pix' },
  Sku: { name: 'Colour' },
  Stock: { quantity: 25 },
  User: { name: 'Ana Souza', type: 'user' },
  Webhook: { name: 'Order desk', url: 'https://example.com/hooks/orders' },
};

/** Members for the example of a record whose members are all optional. */
export const preferredMembers = [
  'name',
  'active',
  'price_sale',
  'quantity',
  'title',
  'status',
  'seq',
];

/** Members that another member's value makes required, which a schema cannot express. */
export const conditionalMembers = ['cpf', 'shipping_address_id'];

/** Returns the values for a record. The longest matching name wins. */
export function exampleValuesFor(record: string): Record<string, unknown> {
  const noun = record.replace(/(?:Input|Patch|Filter)$/, '');
  const [best] = Object.keys(recordValues)
    .filter((name) => noun.endsWith(name))
    .sort((a, b) => b.length - a.length);
  return (best !== undefined && recordValues[best]) || {};
}
