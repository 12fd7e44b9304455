import type { DocumentTexts } from '../../http/openapi/document-texts.ts';
import { buyersOperationTexts } from './buyers-operations.ts';
import { catalogOperationTexts } from './catalog-operations.ts';
import { errorCodeTexts } from './error-meanings.ts';
import { eventTexts } from './event-meanings.ts';
import { jobsOperationTexts } from './jobs-operations.ts';
import { oauthOperationTexts } from './oauth-meanings.ts';
import { operatorsOperationTexts } from './operators-operations.ts';
import { ordersOperationTexts } from './orders-operations.ts';
import { pathParameterTexts } from './parameter-meanings.ts';
import { platformOperationTexts } from './platform-operations.ts';
import { productExtrasOperationTexts } from './product-extras-operations.ts';
import { productsOperationTexts } from './products-operations.ts';
import { storefrontOperationTexts } from './storefront-operations.ts';
import { tagGroups, tagTexts } from './tags.ts';

/** The effect of each operation for a shop, by operation id. */
const operationTexts: DocumentTexts['operations'] = {
  ...oauthOperationTexts,
  ...platformOperationTexts,
  ...catalogOperationTexts,
  ...storefrontOperationTexts,
  ...productsOperationTexts,
  ...productExtrasOperationTexts,
  ...buyersOperationTexts,
  ...ordersOperationTexts,
  ...operatorsOperationTexts,
  ...jobsOperationTexts,
};

/** Introduction to the API, in Markdown. */
const introduction = `
The API of an online store: its catalogue, stock, customers, carts, orders, payments and invoices, and the webhooks that tell your
server what happens. Connect an ERP, a marketplace or a shop front to one store, or publish an app that any merchant can install.

**Begin** with [the first call](/docs/guides/first-call): with an API key it takes a minute. An app that merchants install uses
[OAuth](/docs/guides/oauth). To learn of changes, [receive webhooks](/docs/guides/webhooks) rather than asking again and again.

* **Addresses.** Each store is addressed by its alias: \`/v2/{alias}/...\`. A key opens only the stores of its user.
* **Records.** JSON in, JSON out. A POST creates, a PUT changes only the fields that it names, a DELETE removes. Unknown fields are
  ignored and named in \`X-Warning\`; with \`Prefer: handling=strict\` they are an error.
* **Long queries.** An operation with \`x-query\` takes its query parameters also as the body of \`QUERY\` on its path (RFC 10008), in the
  media types that are named there: see [lists](/docs/guides/lists#query).
* **Bodies** have at most 1 MiB and may be compressed: with \`Content-Encoding: gzip\` or \`deflate\`.
* **Booleans** in requests may also be \`1\`, \`0\`, \`"1"\`, \`"0"\`, \`"true"\` or \`"false"\`. Responses have \`true\` and \`false\`.
* **Money** is a number in the currency of the store, with at most two decimals. **Times** are in the time zone of the store, as
  \`{date, timezone_type, timezone}\` unless a field says otherwise; requests also take \`2031-03-05 09:04:07\`,
  ISO 8601 and [what languages print](/docs/guides/values#dates).
* **Texts** are cleaned: HTML tags are removed and spaces trimmed. For a field that may be null, an empty text means null.
* **Retries** are safe with an \`Idempotency-Key\`: the request is executed once, however often it is sent.
* **Errors** have a \`code\` for your program, a \`hint\` for you, and the \`request_id\` for us: see [errors](/docs/guides/errors).

Version 2 only grows: new fields, new operations and new values of states may appear, and nothing that exists is removed without
notice in the [changelog](/docs/guides/versions).
`.trim();

/** All texts of the documentation that only the document needs. */
export const documentTexts: DocumentTexts = {
  introduction,
  operations: operationTexts,
  tags: tagTexts,
  tagGroups,
  pathParameters: pathParameterTexts,
  events: eventTexts,
  errorCodes: errorCodeTexts,
};
