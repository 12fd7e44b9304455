import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of operators on long work. */
export const jobsOperationTexts: DocumentTexts['operations'] = {
  exportStore: {
    en: {
      summary: 'Export a store',
      description: 'Writes all data of a store into files, for its owner or to honour a request.',
    },
    'pt-BR': 'Exportar uma loja',
    es: 'Exportar una tienda',
  },
  downloadStoreExport: {
    en: {
      summary: 'Download an export of a store',
      description: 'Gets the file of an export that is done.',
    },
    'pt-BR': 'Baixar a exportação de uma loja',
    es: 'Descargar la exportación de una tienda',
  },
  moveStore: {
    en: {
      summary: 'Move a store',
      description: 'Takes a store to another database, for instance out of one that is full.',
    },
    'pt-BR': 'Mudar uma loja de banco de dados',
    es: 'Trasladar una tienda a otra base de datos',
  },
  purgeStoreMove: {
    en: {
      summary: 'Delete the old data of a moved store now',
      description: 'Frees the room that a moved store takes in its old database.',
    },
    'pt-BR': 'Apagar agora os dados antigos de uma loja que mudou',
    es: 'Borrar ahora los datos antiguos de una tienda trasladada',
  },
  restoreStore: {
    en: {
      summary: 'Restore a store from a copy',
      description: 'Puts a store as it was in its last copy into a database that has none of it.',
    },
    'pt-BR': 'Restaurar uma loja a partir de uma cópia',
    es: 'Restaurar una tienda desde una copia',
  },
  eraseStore: {
    en: {
      summary: 'Erase a store',
      description: 'Deletes all data of a store for ever, and certifies how many there were.',
    },
    'pt-BR': 'Apagar uma loja',
    es: 'Borrar una tienda',
  },
  confirmStoreErasure: {
    en: {
      summary: 'Confirm the immediate erasure of a store',
      description:
        'Lets the data of a store be erased a day later, as the second of two operators.',
    },
    'pt-BR': 'Confirmar o apagamento imediato de uma loja',
    es: 'Confirmar el borrado inmediato de una tienda',
  },
  removeSecondFactor: {
    en: {
      summary: 'Remove the two-step sign-in of a user',
      description: 'Lets a user who has lost phone and recovery codes sign in again, after a day.',
    },
    'pt-BR': 'Remover a verificação em duas etapas de um usuário',
    es: 'Quitar la verificación en dos pasos de un usuario',
  },
  drainShard: {
    en: {
      summary: 'Empty a database',
      description: 'Moves all stores of a database to others, before it is taken away.',
    },
    'pt-BR': 'Esvaziar um banco de dados',
    es: 'Vaciar una base de datos',
  },
  showJob: {
    en: {
      summary: 'Show a job',
      description: 'Reads how far long work is, what it led to, or why it failed.',
    },
    'pt-BR': 'Ver um trabalho',
    es: 'Ver un trabajo',
  },
  cancelJob: {
    en: {
      summary: 'Cancel a job',
      description: 'Ends long work before its result, and leaves things as they were.',
    },
    'pt-BR': 'Cancelar um trabalho',
    es: 'Cancelar un trabajo',
  },
};
