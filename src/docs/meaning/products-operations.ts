import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of products, SKUs, stock, bulk changes, imports and exports. */
export const productsOperationTexts: DocumentTexts['operations'] = {
  listProducts: {
    en: {
      summary: 'List products',
      description:
        'Reads the catalogue, filtered and sorted as you need. To copy all of it, walk links.next or use an export.',
    },
    'pt-BR': 'Listar produtos',
    es: 'Listar productos',
  },
  createProduct: {
    en: {
      summary: 'Create a product',
      description:
        'Adds a product, and its SKUs with their first stock in the same call. A product without SKUs cannot be sold. Sends product.created.',
    },
    'pt-BR': 'Criar um produto',
    es: 'Crear un producto',
  },
  showProduct: {
    en: {
      summary: 'Show a product',
      description:
        'Reads one product. Ask for skus, brand, categories and images in the same call with include.',
    },
    'pt-BR': 'Ver um produto',
    es: 'Ver un producto',
  },
  updateProduct: {
    en: {
      summary: 'Change a product',
      description:
        'Changes what you send. Sends product.updated, unless nothing changes. Prices and stock belong to its SKUs.',
    },
    'pt-BR': 'Alterar um produto',
    es: 'Cambiar un producto',
  },
  deleteProduct: {
    en: {
      summary: 'Delete a product',
      description:
        'Removes a product with its SKUs, stock and comments for good, and sends product.deleted with its last state. Orders keep what was sold. To hide it, set active to false instead.',
    },
    'pt-BR': 'Excluir um produto',
    es: 'Eliminar un producto',
  },
  listProductSkus: {
    en: {
      summary: 'List the SKUs of a product',
      description:
        'Reads all variants of one product with their prices and the units that can be sold now.',
    },
    'pt-BR': 'Listar os SKUs de um produto',
    es: 'Listar los SKU de un producto',
  },
  createProductSku: {
    en: {
      summary: 'Add a SKU to a product',
      description: 'Adds a variant, such as another size. Sends product.updated for the product.',
    },
    'pt-BR': 'Adicionar um SKU a um produto',
    es: 'Añadir un SKU a un producto',
  },
  showSku: {
    en: {
      summary: 'Show a SKU',
      description: 'Reads one variant with the units that can be sold now.',
    },
    'pt-BR': 'Ver um SKU',
    es: 'Ver un SKU',
  },
  updateSku: {
    en: {
      summary: 'Change a SKU',
      description:
        'Changes price, size or code of a variant. Sends product.updated, unless nothing changes. For many prices at once, use the bulk operation.',
    },
    'pt-BR': 'Alterar um SKU',
    es: 'Cambiar un SKU',
  },
  deleteSku: {
    en: {
      summary: 'Delete a SKU',
      description:
        'Removes a variant with its stock for good, and takes it out of carts and kits. Sends product.updated. To stop its sale only, set blocked_sale.',
    },
    'pt-BR': 'Excluir um SKU',
    es: 'Eliminar un SKU',
  },
  listLowStock: {
    en: {
      summary: 'List SKUs that run out',
      description:
        'Lists the SKUs of which few units are left, with the units sold in the last 30 days. Use it to decide what to order again.',
    },
    'pt-BR': 'Listar SKUs que estão acabando',
    es: 'Listar los SKU que se agotan',
  },
  listSkuStocks: {
    en: {
      summary: 'List the stock of a SKU',
      description:
        'Reads the units of a SKU by location: those on hand, and those that are promised to open orders.',
    },
    'pt-BR': 'Listar o estoque de um SKU',
    es: 'Listar el stock de un SKU',
  },
  updateSkuStock: {
    en: {
      summary: 'Change the stock of a SKU',
      description:
        'Sets the units on hand with quantity, or adds and takes units with delta. delta is safe while others sell; with quantity, send expected_quantity too. Sends product.inventory.updated when the quantity changes.',
    },
    'pt-BR': 'Alterar o estoque de um SKU',
    es: 'Cambiar el stock de un SKU',
  },
  changeStocks: {
    en: {
      summary: 'Change many stocks',
      description:
        'Sets or moves the stock of up to 500 SKUs in one call, by id or by your code. A bad item fails alone; read the result of each.',
    },
    'pt-BR': 'Alterar vários estoques',
    es: 'Cambiar el stock de muchos SKUs',
  },
  changePrices: {
    en: {
      summary: 'Change many prices',
      description:
        'Changes the prices of up to 500 SKUs in one call: each named by id or by your code, or all that a filter finds, by a percentage. {"filter": {"q": "shirt"}, "variant": "blue", "percent": 5} raises all blue shirts; with dry_run it says which, and how. A bad item fails alone. Sends one product.updated per product that changes.',
    },
    'pt-BR': 'Alterar vários preços',
    es: 'Cambiar muchos precios',
  },
  createImport: {
    en: {
      summary: 'Import products',
      description:
        'Sends up to 10,000 products with their SKUs as lines of JSON, and returns a job at once. Lines are checked and stored in the background; a bad line does not stop the others.',
    },
    'pt-BR': 'Importar produtos',
    es: 'Importar productos',
  },
  listImports: {
    en: {
      summary: 'List imports',
      description: 'Reads the imports of the store, to see which run and how they went.',
    },
    'pt-BR': 'Listar importações',
    es: 'Listar importaciones',
  },
  showImport: {
    en: {
      summary: 'Show an import',
      description:
        'Reads how far an import is. Ask again every few seconds until its state is final.',
    },
    'pt-BR': 'Ver uma importação',
    es: 'Ver una importación',
  },
  listImportErrors: {
    en: {
      summary: 'List the errors of an import',
      description:
        'Reads the lines that were refused, with line number, field and reason. Correct them and import them again.',
    },
    'pt-BR': 'Listar os erros de uma importação',
    es: 'Listar los errores de una importación',
  },
  cancelImport: {
    en: {
      summary: 'Cancel an import',
      description: 'Stops an import. Lines that were stored stay.',
    },
    'pt-BR': 'Cancelar uma importação',
    es: 'Cancelar una importación',
  },
  createExport: {
    en: {
      summary: 'Export products',
      description:
        'Starts writing all products with their SKUs into a file, and returns a job at once.',
    },
    'pt-BR': 'Exportar produtos',
    es: 'Exportar productos',
  },
  listExports: {
    en: {
      summary: 'List exports',
      description:
        'Reads the exports of the store, to find one that is running or that can be downloaded.',
    },
    'pt-BR': 'Listar exportações',
    es: 'Listar exportaciones',
  },
  showExport: {
    en: {
      summary: 'Show an export',
      description: 'Reads how far an export is. When it is done, its file can be downloaded.',
    },
    'pt-BR': 'Ver uma exportação',
    es: 'Ver una exportación',
  },
  downloadExport: {
    en: {
      summary: 'Download an export',
      description:
        'Returns the file: one product with its SKUs per line. Imported again as it is, it changes nothing.',
    },
    'pt-BR': 'Baixar uma exportação',
    es: 'Descargar una exportación',
  },
};
