import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of comments, customizations and feeds. */
export const productExtrasOperationTexts: DocumentTexts['operations'] = {
  listComments: {
    en: {
      summary: 'List product comments',
      description:
        'Reads what buyers wrote, approved or not. Filter by approved to find those that wait for you.',
    },
    'pt-BR': 'Listar comentários de produtos',
    es: 'Listar comentarios de productos',
  },
  createComment: {
    en: {
      summary: 'Create a comment or an answer',
      description: 'Stores what a buyer wrote about a product, or answers it.',
    },
    'pt-BR': 'Criar um comentário ou uma resposta',
    es: 'Crear un comentario o una respuesta',
  },
  showComment: {
    en: {
      summary: 'Show a comment',
      description: 'Reads one comment with its newest answer, or one answer.',
    },
    'pt-BR': 'Ver um comentário',
    es: 'Ver un comentario',
  },
  updateComment: {
    en: {
      summary: 'Change a comment',
      description:
        'Approves a comment, hides it again, or corrects its text. The required fields must be sent again.',
    },
    'pt-BR': 'Alterar um comentário',
    es: 'Cambiar un comentario',
  },
  deleteComment: {
    en: {
      summary: 'Delete a comment',
      description:
        'Removes a comment for good, such as spam. To hide it only, set approved to false.',
    },
    'pt-BR': 'Excluir um comentário',
    es: 'Eliminar un comentario',
  },
  listCustomizations: {
    en: {
      summary: 'List customizations',
      description: 'Reads the choices that buyers can make with products.',
    },
    'pt-BR': 'Listar personalizações',
    es: 'Listar personalizaciones',
  },
  createCustomization: {
    en: {
      summary: 'Create a customization',
      description: 'Adds a choice, such as an engraving, and says which products offer it.',
    },
    'pt-BR': 'Criar uma personalização',
    es: 'Crear una personalización',
  },
  showCustomization: {
    en: {
      summary: 'Show a customization',
      description: 'Reads one choice with the products that offer it.',
    },
    'pt-BR': 'Ver uma personalização',
    es: 'Ver una personalización',
  },
  updateCustomization: {
    en: {
      summary: 'Change a customization',
      description:
        'Changes price, kind or products of a choice. Orders that were placed do not change.',
    },
    'pt-BR': 'Alterar uma personalização',
    es: 'Cambiar una personalización',
  },
  deleteCustomization: {
    en: {
      summary: 'Delete a customization',
      description: 'Removes the choice from all products. The products stay.',
    },
    'pt-BR': 'Excluir uma personalização',
    es: 'Eliminar una personalización',
  },
  listFeeds: {
    en: {
      summary: 'List feeds',
      description: 'Reads the product files that other services fetch from you.',
    },
    'pt-BR': 'Listar feeds',
    es: 'Listar feeds',
  },
  createFeed: {
    en: {
      summary: 'Create a feed',
      description:
        'Registers a product file that you host, so that tools of the shop know where it is and what it contains.',
    },
    'pt-BR': 'Criar um feed',
    es: 'Crear un feed',
  },
  showFeed: {
    en: {
      summary: 'Show a feed',
      description: 'Reads one feed, for instance to see which collection it contains.',
    },
    'pt-BR': 'Ver um feed',
    es: 'Ver un feed',
  },
  updateFeed: {
    en: {
      summary: 'Change a feed',
      description: 'Changes the address, the service or the collection of a feed.',
    },
    'pt-BR': 'Alterar um feed',
    es: 'Cambiar un feed',
  },
  deleteFeed: {
    en: {
      summary: 'Delete a feed',
      description: 'Removes the entry. The file at its address is yours and stays.',
    },
    'pt-BR': 'Excluir um feed',
    es: 'Eliminar un feed',
  },
};
