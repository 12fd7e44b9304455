import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of operators. */
export const operatorsOperationTexts: DocumentTexts['operations'] = {
  listStores: {
    en: {
      summary: 'List stores',
      description: 'Finds stores by alias, owner or state. A deactivated or closed one says why.',
    },
    'pt-BR': 'Listar lojas',
    es: 'Listar tiendas',
  },
  createStore: {
    en: {
      summary: 'Make a store',
      description:
        'Makes a store for an owner, who gets a mail. An owner without an account is invited to make one.',
    },
    'pt-BR': 'Criar uma loja',
    es: 'Crear una tienda',
  },
  showStore: {
    en: {
      summary: 'Show a store',
      description: 'Reads a store with its owner, members and state.',
    },
    'pt-BR': 'Ver uma loja',
    es: 'Ver una tienda',
  },
  deactivateStore: {
    en: {
      summary: 'Deactivate a store',
      description:
        'Takes a store out of service, with a reason that its members can read. Nothing of it is lost.',
    },
    'pt-BR': 'Desativar uma loja',
    es: 'Desactivar una tienda',
  },
  reactivateStore: {
    en: {
      summary: 'Reactivate a store',
      description: 'Puts a store back into service. What waited goes on.',
    },
    'pt-BR': 'Reativar uma loja',
    es: 'Reactivar una tienda',
  },
  closeStore: {
    en: {
      summary: 'Close a store',
      description: 'Takes a store out of service and erases its data 30 days later.',
    },
    'pt-BR': 'Encerrar uma loja',
    es: 'Cerrar una tienda',
  },
  reopenStore: {
    en: {
      summary: 'Open a closed store again',
      description: 'Undoes the closing of a store before its data are erased.',
    },
    'pt-BR': 'Reabrir uma loja encerrada',
    es: 'Volver a abrir una tienda cerrada',
  },
  renameStore: {
    en: {
      summary: 'Change the alias of a store',
      description:
        'Gives a store another name in paths. Tell its owner: integrations must use the new one at once.',
    },
    'pt-BR': 'Alterar o alias de uma loja',
    es: 'Cambiar el alias de una tienda',
  },
  setStoreLimits: {
    en: {
      summary: 'Set the limits of a store',
      description: 'Gives a store its own budget of events and requests.',
    },
    'pt-BR': 'Definir os limites de uma loja',
    es: 'Fijar los límites de una tienda',
  },
  inviteMember: {
    en: {
      summary: 'Invite a member',
      description: 'Invites a person to a store by mail, as a manager or a viewer.',
    },
    'pt-BR': 'Convidar um membro',
    es: 'Invitar a un miembro',
  },
  inviteOwner: {
    en: {
      summary: 'Invite the owner again',
      description: 'Sends the owner of a new store another link with which to choose a password.',
    },
    'pt-BR': 'Convidar o dono de novo',
    es: 'Invitar de nuevo al dueño',
  },
  removeMember: {
    en: {
      summary: 'Remove a member',
      description: 'Takes a store away from a user, with everything that they connected there.',
    },
    'pt-BR': 'Remover um membro',
    es: 'Quitar a un miembro',
  },
  listUsers: {
    en: {
      summary: 'List users',
      description: 'Finds users by address, name or state, or lists the operators.',
    },
    'pt-BR': 'Listar usuários',
    es: 'Listar usuarios',
  },
  createUser: {
    en: {
      summary: 'Make a user',
      description: 'Makes a user and sends an invitation by mail, with which they set a password.',
    },
    'pt-BR': 'Criar um usuário',
    es: 'Crear un usuario',
  },
  showUser: {
    en: {
      summary: 'Show a user',
      description: 'Reads a user with their stores and the number of their sessions.',
    },
    'pt-BR': 'Ver um usuário',
    es: 'Ver un usuario',
  },
  sendPasswordReset: {
    en: {
      summary: 'Send a password reset',
      description: 'Sends a user the link that sets a new password.',
    },
    'pt-BR': 'Enviar a redefinição de senha',
    es: 'Enviar el restablecimiento de contraseña',
  },
  endSessions: {
    en: {
      summary: 'End all sessions of a user',
      description: 'Signs a user out everywhere, such as after a lost phone.',
    },
    'pt-BR': 'Encerrar todas as sessões de um usuário',
    es: 'Cerrar todas las sesiones de un usuario',
  },
  revokeKey: {
    en: {
      summary: 'Revoke an API key of a user',
      description: 'Ends one key that leaked, without locking its user out.',
    },
    'pt-BR': 'Revogar uma chave de API de um usuário',
    es: 'Revocar una clave de API de un usuario',
  },
  deactivateUser: {
    en: {
      summary: 'Deactivate a user',
      description: 'Locks a user out: sessions, API keys and connected apps end.',
    },
    'pt-BR': 'Desativar um usuário',
    es: 'Desactivar un usuario',
  },
  reactivateUser: {
    en: {
      summary: 'Reactivate a user',
      description: 'Lets a user who was locked out sign in again.',
    },
    'pt-BR': 'Reativar um usuário',
    es: 'Reactivar un usuario',
  },
  makeOperator: {
    en: {
      summary: 'Make an operator',
      description:
        'Gives a user the powers of an operator of the service, and tells all operators.',
    },
    'pt-BR': 'Tornar operador',
    es: 'Hacer operador',
  },
  revokeOperator: {
    en: {
      summary: 'Take the powers of an operator away',
      description: 'Makes an operator an ordinary user again.',
    },
    'pt-BR': 'Retirar os poderes de operador',
    es: 'Quitar los poderes de operador',
  },
  listApps: {
    en: {
      summary: 'List apps',
      description: 'Finds apps by client id, name or state.',
    },
    'pt-BR': 'Listar apps',
    es: 'Listar apps',
  },
  showApp: {
    en: {
      summary: 'Show an app',
      description: 'Reads an app with its partner, its state, and why it was disabled.',
    },
    'pt-BR': 'Ver um app',
    es: 'Ver una app',
  },
  listBlockedHosts: {
    en: {
      summary: 'List blocked hosts',
      description: 'Lists the hosts whose assistants get no access to any store.',
    },
    'pt-BR': 'Listar hosts bloqueados',
    es: 'Listar hosts bloqueados',
  },
  blockHost: {
    en: {
      summary: 'Block the assistants of a host',
      description:
        'Ends what they may do in every store, and lets none of them register or ask again.',
    },
    'pt-BR': 'Bloquear os assistentes de um host',
    es: 'Bloquear los asistentes de un host',
  },
  unblockHost: {
    en: {
      summary: 'Unblock the assistants of a host',
      description: 'Lets them ask for access again.',
    },
    'pt-BR': 'Desbloquear os assistentes de um host',
    es: 'Desbloquear los asistentes de un host',
  },
  disableApp: {
    en: {
      summary: 'Disable an app',
      description:
        'Ends what an app may do in every store, with a reason that its partner can read.',
    },
    'pt-BR': 'Desativar um app',
    es: 'Desactivar una app',
  },
  enableApp: {
    en: {
      summary: 'Give an app back',
      description: 'Lets the partner of a disabled app publish it again.',
    },
    'pt-BR': 'Devolver um app',
    es: 'Devolver una app',
  },
  showHealth: {
    en: {
      summary: 'Show the health of the service',
      description: 'Reads how every database is, what waits there, and what needs a person.',
    },
    'pt-BR': 'Ver a saúde do serviço',
    es: 'Ver la salud del servicio',
  },
  listOperatorAudit: {
    en: {
      summary: 'List what operators did',
      description: 'Reads who did what, when, from where and why, newest first.',
    },
    'pt-BR': 'Listar o que os operadores fizeram',
    es: 'Listar lo que hicieron los operadores',
  },
  eraseUser: {
    en: {
      summary: 'Erase a user',
      description:
        'Deletes what is personal of a user for ever. What the user did stays known, without a name.',
    },
    'pt-BR': 'Apagar um usuário',
    es: 'Borrar a un usuario',
  },
};
