/**
 * Where an operation is found in the client: `shop.brands.create` is the method `create` of the
 * group `brands`.
 */
export interface MethodName {
  group: string;
  method: string;
}

/**
 * A group that does not simply have the name of its tag, and the nouns that the names of its
 * methods omit.
 */
interface Group {
  group: string;
  nouns: readonly string[];
}

/**
 * The tags whose group has another name. Parts of one record share its group, so that
 * `shop.orders.listItems` stands beside `shop.orders.list`.
 */
const groupsByTag: Readonly<Record<string, Group>> = {
  User: { group: 'user', nouns: ['Me'] },
  'Bundles (kits)': { group: 'bundles', nouns: ['Bundle'] },
  'Product comments': { group: 'comments', nouns: ['Comment'] },
  'Payment configuration': { group: 'payments', nouns: ['Payment'] },
  'E-mail configuration': { group: 'emails', nouns: ['EmailConfiguration', 'Email'] },
  'Webhook deliveries': { group: 'webhooks', nouns: ['Webhook'] },
  'Webhook replays': { group: 'webhooks', nouns: ['Webhook'] },
  'Webhook maintenance': { group: 'webhooks', nouns: ['Webhook'] },
  'Feed of events': { group: 'events', nouns: ['Event'] },
  'SKUs and stock': { group: 'skus', nouns: ['ProductSku', 'Sku'] },
  'Addresses of customers': { group: 'addresses', nouns: ['CustomerAddress'] },
  'Parts of orders': { group: 'orders', nouns: ['Order'] },
  Invoices: { group: 'invoices', nouns: ['OrderInvoice'] },
  'Store settings': { group: 'settings', nouns: ['Setting'] },
};

/** Returns the name of an operation in the client, from its tag and its id. */
export function nameMethod(tag: string, operationId: string): MethodName {
  const { group, nouns } = groupsByTag[tag] ?? groupFromTag(tag);
  for (const noun of nouns) {
    const match = new RegExp(`^([a-z]+)(?:Of)?${pluralOf(noun)}(?![a-z])(.*)$`).exec(operationId);
    // Without the noun, the verb may be the whole name: `showMe` is `show`.
    if (match) return { group, method: `${match[1]}${match[2]}` };
  }
  return { group, method: operationId };
}

/** "Filter values" is the group `filterValues`, whose methods omit `FilterValue`. */
function groupFromTag(tag: string): Group {
  const words = tag.replaceAll(/\(.*\)/g, '').match(/[A-Za-z0-9]+/g) ?? [];
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const noun = pascal.replace(/ies$/, 'y').replace(/s$/, '');
  return { group: pascal.charAt(0).toLowerCase() + pascal.slice(1), nouns: [noun] };
}

/** A pattern of a noun in the singular and in the plural. */
const pluralOf = (noun: string) =>
  noun.endsWith('y') ? `${noun.slice(0, -1)}(?:y|ies)` : `${noun}(?:e?s)?`;
