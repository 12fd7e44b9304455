import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/** Errors of stores, users and operators. */
export const accountErrors = {
  alias_taken: {
    en: {
      meaning:
        'Another store has or had this alias. Aliases are unique in the whole service, for ever.',
      remedy:
        'Choose another alias. If the store is yours, read it with `GET /v2/operator/stores?alias=...`.',
    },
    'pt-BR': {
      meaning:
        'Outra loja usa ou já usou este alias. O alias é único em todo o serviço, para sempre.',
      remedy:
        'Escolha outro alias. Se a loja for a sua, leia-a com `GET /v2/operator/stores?alias=...`.',
    },
    es: {
      meaning:
        'Otra tienda tiene o tuvo este alias. Los alias son únicos en todo el servicio, para siempre.',
      remedy:
        'Elige otro alias. Si la tienda es la tuya, léela con `GET /v2/operator/stores?alias=...`.',
    },
  },
  email_taken: {
    en: {
      meaning:
        'Another user has this address. Addresses are compared without regard to letter case.',
      remedy: 'Read the user with `GET /v2/operator/users?email=...`, or choose another address.',
    },
    'pt-BR': {
      meaning: 'Outro usuário já usa este endereço. Maiúsculas e minúsculas não fazem diferença.',
      remedy: 'Leia o usuário com `GET /v2/operator/users?email=...` ou escolha outro endereço.',
    },
    es: {
      meaning: 'Otro usuario ya tiene esta dirección. No se distinguen mayúsculas y minúsculas.',
      remedy: 'Lee el usuario con `GET /v2/operator/users?email=...` o elige otra dirección.',
    },
  },
  no_room: {
    en: {
      meaning: 'No database takes new stores: all are closed or nearly full.',
      remedy: 'Add a database.',
    },
    'pt-BR': {
      meaning:
        'Nenhum banco de dados da região aceita lojas novas: todos estão fechados ou quase cheios.',
      remedy: 'Indique outra região ou acrescente um banco de dados à região.',
    },
    es: {
      meaning:
        'Ninguna base de datos de la región admite tiendas nuevas: todas están cerradas o casi llenas.',
      remedy: 'Indica otra región o añade una base de datos a la región.',
    },
  },
  second_factor_missing: {
    en: {
      meaning:
        'Operators of this service must have two-step sign-in, and the user has none. The password alone must never be enough to run the service.',
      remedy: 'Let the user set up two-step sign-in on the account pages, then repeat the request.',
    },
    'pt-BR': {
      meaning:
        'Os operadores deste serviço precisam da verificação em duas etapas, e o usuário não a configurou. A senha sozinha nunca pode bastar para operar o serviço.',
      remedy:
        'Peça que o usuário configure a verificação em duas etapas nas páginas da conta e repita a requisição.',
    },
    es: {
      meaning:
        'Los operadores de este servicio necesitan la verificación en dos pasos, y el usuario no la configuró. La contraseña sola nunca debe bastar para operar el servicio.',
      remedy:
        'Pide al usuario que configure la verificación en dos pasos en las páginas de su cuenta y repite la solicitud.',
    },
  },
  no_second_factor: {
    en: {
      meaning: 'The user has no two-step sign-in, so there is none to remove.',
      remedy: 'Nothing is to be done: the password of the user is enough to sign in.',
    },
    'pt-BR': {
      meaning: 'O usuário não tem verificação em duas etapas, então não há o que remover.',
      remedy: 'Não é preciso fazer nada: a senha do usuário basta para entrar.',
    },
    es: {
      meaning: 'El usuario no tiene verificación en dos pasos, así que no hay nada que quitar.',
      remedy: 'No hay que hacer nada: la contraseña del usuario basta para iniciar sesión.',
    },
  },
  user_is_operator: {
    en: {
      meaning: 'The user is an operator, for whom the password alone must never be enough.',
      remedy:
        'Take the powers of an operator away, repeat the request, and give them again once the user has set up two-step sign-in again.',
    },
    'pt-BR': {
      meaning: 'O usuário é operador, e para operadores a senha sozinha nunca pode bastar.',
      remedy:
        'Retire os poderes de operador, repita a requisição e devolva-os quando o usuário tiver configurado a verificação em duas etapas de novo.',
    },
    es: {
      meaning:
        'El usuario es operador, y para los operadores la contraseña sola nunca debe bastar.',
      remedy:
        'Quita los poderes de operador, repite la solicitud y devuélvelos cuando el usuario haya configurado de nuevo la verificación en dos pasos.',
    },
  },
  user_erased: {
    en: {
      meaning: 'All data of the user are erased for ever, so nothing more can be done with them.',
      remedy: 'Create another user.',
    },
    'pt-BR': {
      meaning: 'Todos os dados do usuário foram apagados para sempre, e não há mais o que fazer.',
      remedy: 'Crie outro usuário.',
    },
    es: {
      meaning: 'Todos los datos del usuario están borrados para siempre, y no hay más que hacer.',
      remedy: 'Crea otro usuario.',
    },
  },
  user_inactive: {
    en: {
      meaning: 'The user is locked out, so this would have no effect.',
      remedy: 'Reactivate the user, then repeat the request.',
    },
    'pt-BR': {
      meaning: 'O usuário está bloqueado, então isto não teria efeito.',
      remedy: 'Reative o usuário e repita a requisição.',
    },
    es: {
      meaning: 'El usuario está bloqueado, así que esto no tendría efecto.',
      remedy: 'Reactiva al usuario y repite la solicitud.',
    },
  },
  last_operator: {
    en: {
      meaning: 'This user is the only operator who can sign in. The service must keep one.',
      remedy: 'Make another user an operator first.',
    },
    'pt-BR': {
      meaning: 'Este usuário é o único operador que pode entrar. O serviço precisa manter um.',
      remedy: 'Torne outra pessoa operadora primeiro.',
    },
    es: {
      meaning:
        'Este usuario es el único operador que puede iniciar sesión. El servicio debe conservar uno.',
      remedy: 'Haz operador a otra persona primero.',
    },
  },
  owner_stays: {
    en: {
      meaning: 'The owner of a store is not removed from it.',
      remedy: 'Let the owner hand the store over to another member, then remove them.',
    },
    'pt-BR': {
      meaning: 'O dono de uma loja não é removido dela.',
      remedy: 'Peça que o dono passe a loja para outro membro e depois o remova.',
    },
    es: {
      meaning: 'El dueño de una tienda no se quita de ella.',
      remedy: 'Pide al dueño que traspase la tienda a otro miembro y quítalo después.',
    },
  },
  too_many_invitations: {
    en: {
      meaning: 'The store has 50 open invitations, which is the most.',
      remedy:
        'Revoke invitations that will not be accepted, or wait until they end after seven days.',
    },
    'pt-BR': {
      meaning: 'A loja tem 50 convites abertos, que é o máximo.',
      remedy:
        'Revogue convites que ninguém vai aceitar ou espere que terminem depois de sete dias.',
    },
    es: {
      meaning: 'La tienda tiene 50 invitaciones abiertas, que es el máximo.',
      remedy:
        'Revoca las invitaciones que nadie va a aceptar o espera a que terminen, a los siete días.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
