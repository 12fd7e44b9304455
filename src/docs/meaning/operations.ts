import type { DocumentTexts } from '../../http/openapi/texts.ts';
import { buyersOperationTexts } from './operations/buyers.ts';
import { catalogOperationTexts } from './operations/catalog.ts';
import { jobsOperationTexts } from './operations/jobs.ts';
import { operatorsOperationTexts } from './operations/operators.ts';
import { ordersOperationTexts } from './operations/orders.ts';
import { platformOperationTexts } from './operations/platform.ts';
import { productExtrasOperationTexts } from './operations/product-extras.ts';
import { productsOperationTexts } from './operations/products.ts';
import { storefrontOperationTexts } from './operations/storefront.ts';

/** What each operation does for a shop, by operation id. */
export const operationTexts: DocumentTexts['operations'] = {
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
