import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of brands, kits, categories and collections. */
export const catalogOperationTexts: DocumentTexts['operations'] = {
  listBrands: {
    en: {
      summary: 'List brands',
      description:
        'Reads the brands of the store, inactive ones too. Use it to find the brand_id that a new product needs.',
    },
    'pt-BR': 'Listar marcas',
    es: 'Listar marcas',
  },
  createBrand: {
    en: {
      summary: 'Create a brand',
      description:
        'Adds a brand, so that products can name it. Create brands before products, because every product begins with one.',
    },
    'pt-BR': 'Criar uma marca',
    es: 'Crear una marca',
  },
  showBrand: {
    en: {
      summary: 'Show a brand',
      description: 'Reads one brand, such as the brand_id of a product names it.',
    },
    'pt-BR': 'Ver uma marca',
    es: 'Ver una marca',
  },
  updateBrand: {
    en: {
      summary: 'Change a brand',
      description:
        'Changes what you send and keeps the rest. Products keep the brand and send no event.',
    },
    'pt-BR': 'Alterar uma marca',
    es: 'Cambiar una marca',
  },
  deleteBrand: {
    en: {
      summary: 'Delete a brand',
      description:
        'Removes a brand for good, for instance one made twice. To hide it for a while, set active to false instead.',
    },
    'pt-BR': 'Excluir uma marca',
    es: 'Eliminar una marca',
  },
  listBundles: {
    en: {
      summary: 'List kits',
      description: 'Reads the kits of the store with their items.',
    },
    'pt-BR': 'Listar kits',
    es: 'Listar kits',
  },
  createBundle: {
    en: {
      summary: 'Create a kit',
      description:
        'Offers several SKUs together, at their own prices, at fixed ones or at a discount. The answer has purchase_url, the page that sells the kit.',
    },
    'pt-BR': 'Criar um kit',
    es: 'Crear un kit',
  },
  showBundle: {
    en: {
      summary: 'Show a kit',
      description: 'Reads one kit with its items and the page that sells it.',
    },
    'pt-BR': 'Ver um kit',
    es: 'Ver un kit',
  },
  updateBundle: {
    en: {
      summary: 'Change a kit',
      description: 'Changes the kit, or what is in it. To change one item, send all items.',
    },
    'pt-BR': 'Alterar um kit',
    es: 'Cambiar un kit',
  },
  deleteBundle: {
    en: {
      summary: 'Delete a kit',
      description: 'Removes the kit and its items. The SKUs stay on sale by themselves.',
    },
    'pt-BR': 'Excluir um kit',
    es: 'Eliminar un kit',
  },
  listCategories: {
    en: {
      summary: 'List categories',
      description:
        'Reads the category tree of the store. Follow parent_id upwards, or ask for children.',
    },
    'pt-BR': 'Listar categorias',
    es: 'Listar categorías',
  },
  createCategory: {
    en: {
      summary: 'Create a category',
      description:
        'Adds a shelf to the shop, at the root or below parent_id. Then put products in with their categories_ids or with the products of the category.',
    },
    'pt-BR': 'Criar uma categoria',
    es: 'Crear una categoría',
  },
  showCategory: {
    en: {
      summary: 'Show a category',
      description: 'Reads one category with its full path in the shop.',
    },
    'pt-BR': 'Ver uma categoria',
    es: 'Ver una categoría',
  },
  updateCategory: {
    en: {
      summary: 'Change a category',
      description:
        'Renames, moves or hides a category. A new slug or parent changes its address and those of all categories below.',
    },
    'pt-BR': 'Alterar uma categoria',
    es: 'Cambiar una categoría',
  },
  deleteCategory: {
    en: {
      summary: 'Delete a category',
      description: 'Removes a category for good. Rules of seals and collections no longer name it.',
    },
    'pt-BR': 'Excluir uma categoria',
    es: 'Eliminar una categoría',
  },
  listCategoryProducts: {
    en: {
      summary: 'List the products of a category',
      description:
        'Reads the products that are linked to this very category. Those of categories below are not included.',
    },
    'pt-BR': 'Listar os produtos de uma categoria',
    es: 'Listar los productos de una categoría',
  },
  addCategoryProducts: {
    en: {
      summary: 'Add products to a category',
      description:
        'Puts products into the category, beside those that are there. It does not replace them.',
    },
    'pt-BR': 'Adicionar produtos a uma categoria',
    es: 'Añadir productos a una categoría',
  },
  removeCategoryProducts: {
    en: {
      summary: 'Take products out of a category',
      description:
        'Removes the links only; the products stay in the catalogue and in other categories.',
    },
    'pt-BR': 'Retirar produtos de uma categoria',
    es: 'Quitar productos de una categoría',
  },
  listCategoryBanners: {
    en: {
      summary: 'List the banners of a category',
      description:
        'Reads the banners that the category shows. Link others with banners_ids of the category.',
    },
    'pt-BR': 'Listar os banners de uma categoria',
    es: 'Listar los banners de una categoría',
  },
  copyCategoryProducts: {
    en: {
      summary: 'Copy products from other categories',
      description:
        'Adds all products of the given categories to this one, for instance to fill a seasonal category.',
    },
    'pt-BR': 'Copiar produtos de outras categorias',
    es: 'Copiar productos de otras categorías',
  },
  listCollections: {
    en: {
      summary: 'List collections',
      description: 'Reads the collections of the store, expired and inactive ones too.',
    },
    'pt-BR': 'Listar coleções',
    es: 'Listar colecciones',
  },
  createCollection: {
    en: {
      summary: 'Create a collection',
      description:
        'Groups products for a campaign or a theme. With start_at and end_at it is limited in time.',
    },
    'pt-BR': 'Criar uma coleção',
    es: 'Crear una colección',
  },
  showCollection: {
    en: {
      summary: 'Show a collection',
      description: 'Reads one collection, and whether it has expired.',
    },
    'pt-BR': 'Ver uma coleção',
    es: 'Ver una colección',
  },
  updateCollection: {
    en: {
      summary: 'Change a collection',
      description:
        'Changes what you send. To add some products without sending all, use the products of the collection.',
    },
    'pt-BR': 'Alterar uma coleção',
    es: 'Cambiar una colección',
  },
  deleteCollection: {
    en: {
      summary: 'Delete a collection',
      description: 'Removes the group for good. Rules of seals no longer name it.',
    },
    'pt-BR': 'Excluir uma coleção',
    es: 'Eliminar una colección',
  },
  listCollectionProducts: {
    en: {
      summary: 'List the products of a collection',
      description:
        'Reads the products that are linked to the collection, 100 per page unless you send limit.',
    },
    'pt-BR': 'Listar os produtos de uma coleção',
    es: 'Listar los productos de una colección',
  },
  addCollectionProducts: {
    en: {
      summary: 'Add products to a collection',
      description:
        'Puts products into the collection, beside those that are there. It does not replace them.',
    },
    'pt-BR': 'Adicionar produtos a uma coleção',
    es: 'Añadir productos a una colección',
  },
  removeCollectionProducts: {
    en: {
      summary: 'Take products out of a collection',
      description: 'Removes the links only; the products stay in the catalogue.',
    },
    'pt-BR': 'Retirar produtos de uma coleção',
    es: 'Quitar productos de una colección',
  },
};
