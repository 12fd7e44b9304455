import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of seals, banners and filters. */
export const storefrontOperationTexts: DocumentTexts['operations'] = {
  listFlags: {
    en: {
      summary: 'List seals',
      description:
        'Reads the seals of the store with their rules and the number of products that have each.',
    },
    'pt-BR': 'Listar selos',
    es: 'Listar sellos',
  },
  createFlag: {
    en: {
      summary: 'Create a seal',
      description:
        'Adds a seal and the rules that give it to products. Products that match later get it by themselves.',
    },
    'pt-BR': 'Criar um selo',
    es: 'Crear un sello',
  },
  showFlag: {
    en: {
      summary: 'Show a seal',
      description: 'Reads one seal with its rules and the number of products that have it now.',
    },
    'pt-BR': 'Ver um selo',
    es: 'Ver un sello',
  },
  updateFlag: {
    en: {
      summary: 'Change a seal',
      description: 'Changes the look or the rules. Products gain or lose the seal at once.',
    },
    'pt-BR': 'Alterar um selo',
    es: 'Cambiar un sello',
  },
  deleteFlag: {
    en: {
      summary: 'Delete a seal',
      description: 'Removes the seal from all products. The products themselves do not change.',
    },
    'pt-BR': 'Excluir um selo',
    es: 'Eliminar un sello',
  },
  listBanners: {
    en: {
      summary: 'List banners',
      description: 'Reads the banners of the store, expired and inactive ones too.',
    },
    'pt-BR': 'Listar banners',
    es: 'Listar banners',
  },
  createBanner: {
    en: {
      summary: 'Create a banner',
      description:
        'Adds a banner to the store. You host its pictures; the service keeps their addresses.',
    },
    'pt-BR': 'Criar um banner',
    es: 'Crear un banner',
  },
  showBanner: {
    en: {
      summary: 'Show a banner',
      description: 'Reads one banner, and whether it has expired.',
    },
    'pt-BR': 'Ver um banner',
    es: 'Ver un banner',
  },
  updateBanner: {
    en: {
      summary: 'Change a banner',
      description:
        'Changes what you send, such as the pictures or the time in which the shop shows it.',
    },
    'pt-BR': 'Alterar um banner',
    es: 'Cambiar un banner',
  },
  deleteBanner: {
    en: {
      summary: 'Delete a banner',
      description:
        'Removes a banner for good. To hide it for a while, set active to false instead.',
    },
    'pt-BR': 'Excluir um banner',
    es: 'Eliminar un banner',
  },
  listFilters: {
    en: {
      summary: 'List filters',
      description:
        'Reads the filters that buyers can narrow lists by. Ask for values to get their choices in the same call.',
    },
    'pt-BR': 'Listar filtros',
    es: 'Listar filtros',
  },
  createFilter: {
    en: {
      summary: 'Create a filter',
      description:
        'Adds a filter, such as Colour. Link its values to categories with filters_values_ids.',
    },
    'pt-BR': 'Criar um filtro',
    es: 'Crear un filtro',
  },
  showFilter: {
    en: {
      summary: 'Show a filter',
      description: 'Reads one filter; ask for values to get its choices in the same call.',
    },
    'pt-BR': 'Ver um filtro',
    es: 'Ver un filtro',
  },
  updateFilter: {
    en: {
      summary: 'Change a filter',
      description: 'Renames the filter, or changes where the shop offers it. Its values stay.',
    },
    'pt-BR': 'Alterar um filtro',
    es: 'Cambiar un filtro',
  },
  deleteFilter: {
    en: {
      summary: 'Delete a filter',
      description: 'Removes a filter for good. Categories lose its values too.',
    },
    'pt-BR': 'Excluir um filtro',
    es: 'Eliminar un filtro',
  },
  listFilterValues: {
    en: {
      summary: 'List the values of a filter',
      description: 'Reads the choices of one filter, such as all colours.',
    },
    'pt-BR': 'Listar os valores de um filtro',
    es: 'Listar los valores de un filtro',
  },
  createFilterValue: {
    en: {
      summary: 'Add a value to a filter',
      description: 'Adds a choice, such as Blue, to a filter.',
    },
    'pt-BR': 'Adicionar um valor a um filtro',
    es: 'Añadir un valor a un filtro',
  },
  showFilterValue: {
    en: {
      summary: 'Show a filter value',
      description: 'Reads one choice of a filter, with its swatch and picture.',
    },
    'pt-BR': 'Ver um valor de filtro',
    es: 'Ver un valor de filtro',
  },
  updateFilterValue: {
    en: {
      summary: 'Change a filter value',
      description: 'Renames a choice or changes its swatch. Categories that offer it keep it.',
    },
    'pt-BR': 'Alterar um valor de filtro',
    es: 'Cambiar un valor de filtro',
  },
  deleteFilterValue: {
    en: {
      summary: 'Delete a filter value',
      description: 'Removes a choice for good, and takes it out of the categories that offer it.',
    },
    'pt-BR': 'Excluir um valor de filtro',
    es: 'Eliminar un valor de filtro',
  },
};
