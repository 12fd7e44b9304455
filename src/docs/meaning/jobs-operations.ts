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
  showStoreExport: {
    en: {
      summary: 'Show an export of a store',
      description: 'Reads how far an export is, and where its file is.',
    },
    'pt-BR': 'Ver a exportação de uma loja',
    es: 'Ver la exportación de una tienda',
  },
  downloadStoreExport: {
    en: {
      summary: 'Download an export of a store',
      description: 'Gets the file of an export that is done.',
    },
    'pt-BR': 'Baixar a exportação de uma loja',
    es: 'Descargar la exportación de una tienda',
  },
  cancelStoreExport: {
    en: {
      summary: 'Cancel an export of a store',
      description: 'Ends an export, and deletes what it wrote.',
    },
    'pt-BR': 'Cancelar a exportação de uma loja',
    es: 'Cancelar la exportación de una tienda',
  },
  moveStore: {
    en: {
      summary: 'Move a store',
      description: 'Takes a store to another database, for instance out of one that is full.',
    },
    'pt-BR': 'Mudar uma loja de banco de dados',
    es: 'Trasladar una tienda a otra base de datos',
  },
  showStoreMove: {
    en: {
      summary: 'Show a move of a store',
      description: 'Reads how far a move is, and why it failed if it did.',
    },
    'pt-BR': 'Ver a mudança de uma loja',
    es: 'Ver el traslado de una tienda',
  },
  cancelStoreMove: {
    en: {
      summary: 'Cancel a move of a store',
      description: 'Lets the store stay where it is.',
    },
    'pt-BR': 'Cancelar a mudança de uma loja',
    es: 'Cancelar el traslado de una tienda',
  },
  purgeStoreMove: {
    en: {
      summary: 'Delete the old data of a moved store now',
      description: 'Frees the room that a moved store takes in its old database.',
    },
    'pt-BR': 'Apagar agora os dados antigos de uma loja que mudou',
    es: 'Borrar ahora los datos antiguos de una tienda trasladada',
  },
  importStore: {
    en: {
      summary: 'Bring a store back from a copy',
      description: 'Puts a store as it was in its last copy into a database that has none of it.',
    },
    'pt-BR': 'Trazer uma loja de volta de uma cópia',
    es: 'Recuperar una tienda desde una copia',
  },
  showStoreImport: {
    en: {
      summary: 'Show the return of a store',
      description: 'Reads how far it is, and why it failed if it did.',
    },
    'pt-BR': 'Ver a volta de uma loja',
    es: 'Ver el regreso de una tienda',
  },
  cancelStoreImport: {
    en: {
      summary: 'Cancel the return of a store',
      description: 'Lets the store stay as it is.',
    },
    'pt-BR': 'Cancelar a volta de uma loja',
    es: 'Cancelar el regreso de una tienda',
  },
  eraseStore: {
    en: {
      summary: 'Erase a store',
      description: 'Deletes all data of a store for ever, and certifies how many there were.',
    },
    'pt-BR': 'Apagar uma loja',
    es: 'Borrar una tienda',
  },
  showStoreErasure: {
    en: {
      summary: 'Show an erasure of a store',
      description: 'Reads how far an erasure is, or its certificate.',
    },
    'pt-BR': 'Ver o apagamento de uma loja',
    es: 'Ver el borrado de una tienda',
  },
  cancelStoreErasure: {
    en: {
      summary: 'Cancel an erasure of a store',
      description: 'Keeps the data of a store whose erasure has not begun.',
    },
    'pt-BR': 'Cancelar o apagamento de uma loja',
    es: 'Cancelar el borrado de una tienda',
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
  showSecondFactorRemoval: {
    en: {
      summary: 'Show the removal of two-step sign-in',
      description: 'Reads whether the factor is removed, or the user has objected.',
    },
    'pt-BR': 'Ver a remoção da verificação em duas etapas',
    es: 'Ver la retirada de la verificación en dos pasos',
  },
  cancelSecondFactorRemoval: {
    en: {
      summary: 'Cancel the removal of two-step sign-in',
      description: 'Lets the user keep the factor.',
    },
    'pt-BR': 'Cancelar a remoção da verificação em duas etapas',
    es: 'Cancelar la retirada de la verificación en dos pasos',
  },
  drainShard: {
    en: {
      summary: 'Empty a database',
      description: 'Moves all stores of a database to others, before it is taken away.',
    },
    'pt-BR': 'Esvaziar um banco de dados',
    es: 'Vaciar una base de datos',
  },
  showShardDrain: {
    en: {
      summary: 'Show how a database is emptied',
      description: 'Reads how many stores have left, and which could not.',
    },
    'pt-BR': 'Ver o esvaziamento de um banco de dados',
    es: 'Ver el vaciado de una base de datos',
  },
  cancelShardDrain: {
    en: {
      summary: 'Stop emptying a database',
      description: 'Lets the stores that have not begun to move stay.',
    },
    'pt-BR': 'Parar o esvaziamento de um banco de dados',
    es: 'Detener el vaciado de una base de datos',
  },
};
