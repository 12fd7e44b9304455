import type { Display } from './display.ts';

export const outletDisplay: Display = {
  banners: [{ name: 'Últimos pares', image: 'banners/ultimos-pares.jpg', home: true }],
  categories: [
    {
      name: 'Calçados',
      featured: true,
      products: ['Chinelo Praia do Forte'],
      banners: ['Últimos pares'],
    },
    { name: 'Acessórios de Couro', products: ['Cinto Vaqueiro', 'Bolsa Carteiro Jequié'] },
  ],
  collections: [
    {
      name: 'Queima de Estoque',
      description: 'Até acabar.',
      startsIn: -1,
      endsIn: 14,
      products: ['Chinelo Praia do Forte', 'Cinto Vaqueiro'],
    },
  ],
  bundles: [],
  filters: [],
  flags: [],
  customizations: [],
  feeds: [],
  comments: [
    {
      product: 'Cinto Vaqueiro',
      name: 'Antônio Simões',
      email: 'antonio@cliente.test',
      message: 'A fivela é de latão maciço?',
      daysAgo: 1,
      approved: true,
    },
  ],
};
