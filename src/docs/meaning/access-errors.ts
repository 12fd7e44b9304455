import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/** Errors of credentials, rights and limits, and those on our side. */
export const accessErrors = {
  unauthenticated: {
    en: {
      meaning:
        'The credentials are complete but not valid: a value is wrong, the API key was deleted, or the access token has expired (after 10 minutes) or was revoked. For safety the response does not say which.',
      remedy:
        'With OAuth, refresh the token once and repeat the request; if the refresh fails too, let the merchant authorize the app again. With an API key, compare both values or create a new key.',
    },
    'pt-BR': {
      meaning:
        'As credenciais estão completas, mas não são válidas: um valor está errado, a chave de API foi apagada, ou o token de acesso expirou (após 10 minutos) ou foi revogado. Por segurança a resposta não diz qual.',
      remedy:
        'Com OAuth, renove o token uma vez e repita a requisição; se a renovação também falhar, peça ao lojista que autorize o app de novo. Com chave de API, confira os dois valores ou crie uma chave nova.',
    },
    es: {
      meaning:
        'Las credenciales están completas, pero no son válidas: un valor es incorrecto, la clave de API fue eliminada, o el token de acceso caducó (a los 10 minutos) o fue revocado. Por seguridad la respuesta no dice cuál.',
      remedy:
        'Con OAuth, renueva el token una vez y repite la solicitud; si la renovación también falla, pide al comerciante que autorice la app de nuevo. Con clave de API, compara los dos valores o crea una clave nueva.',
    },
  },
  credentials_incomplete: {
    en: {
      meaning: 'A header of the credentials is missing; `errors` and `hint` name it.',
      remedy:
        'Send `User-Token` and `User-Secret-Key` together, or `Authorization: Bearer` and `X-Partner-Client-ID` together. A refresh of the token does not help.',
    },
    'pt-BR': {
      meaning: 'Falta um cabeçalho das credenciais; `errors` e `hint` dizem qual.',
      remedy:
        'Envie `User-Token` e `User-Secret-Key` juntos, ou `Authorization: Bearer` e `X-Partner-Client-ID` juntos. Renovar o token não ajuda.',
    },
    es: {
      meaning: 'Falta una cabecera de las credenciales; `errors` y `hint` dicen cuál.',
      remedy:
        'Envía `User-Token` y `User-Secret-Key` juntos, o `Authorization: Bearer` y `X-Partner-Client-ID` juntos. Renovar el token no ayuda.',
    },
  },
  credentials_ambiguous: {
    en: {
      meaning: 'The request has an API key and a bearer token, so it is unclear who is calling.',
      remedy: 'Remove one of them. Look for a default header that your HTTP client adds.',
    },
    'pt-BR': {
      meaning:
        'A requisição tem uma chave de API e um token bearer, e não se sabe quem está chamando.',
      remedy: 'Retire um dos dois. Procure um cabeçalho padrão que o seu cliente HTTP acrescenta.',
    },
    es: {
      meaning: 'La solicitud lleva una clave de API y un token bearer, y no se sabe quién llama.',
      remedy: 'Quita uno de los dos. Busca una cabecera por defecto que añade tu cliente HTTP.',
    },
  },
  store_not_accessible: {
    en: {
      meaning:
        'These credentials open no active store with the alias of the path. Whether such a store exists is not said. A token opens one store only; an API key opens only stores of its user.',
      remedy:
        'Compare the alias with `merchants` in the response of `POST /v2/auth/me`. If the store is inactive, its owner must activate it.',
    },
    'pt-BR': {
      meaning:
        'Estas credenciais não abrem nenhuma loja ativa com o alias do caminho. Não é dito se tal loja existe. Um token abre uma só loja; uma chave de API só abre lojas do seu usuário.',
      remedy:
        'Compare o alias com `merchants` na resposta de `POST /v2/auth/me`. Se a loja está inativa, o dono precisa ativá-la.',
    },
    es: {
      meaning:
        'Estas credenciales no abren ninguna tienda activa con el alias de la ruta. No se dice si tal tienda existe. Un token abre una sola tienda; una clave de API solo abre tiendas de su usuario.',
      remedy:
        'Compara el alias con `merchants` en la respuesta de `POST /v2/auth/me`. Si la tienda está inactiva, su dueño debe activarla.',
    },
  },
  insufficient_scope: {
    en: {
      meaning:
        'The merchant did not grant the app the scope that this operation, a name in `include`, or a field of the body needs; or the API key was made without it; or the owner of the key is a viewer in this store, who only reads. `errors.scope` names it.',
      remedy:
        'Add the scope to your authorization request and send the merchant through it again, or make an API key with it. Until then, leave out the field or the include that needs it.',
    },
    'pt-BR': {
      meaning:
        'O lojista não concedeu ao app o escopo que esta operação, um nome em `include` ou um campo do corpo exige; ou a chave de API foi criada sem ele; ou o dono da chave é leitor nesta loja e só pode ler. `errors.scope` diz qual.',
      remedy:
        'Acrescente o escopo ao seu pedido de autorização e leve o lojista por ele de novo, ou crie uma chave de API com ele. Até lá, deixe de fora o campo ou o include que o exige.',
    },
    es: {
      meaning:
        'El comerciante no concedió a la app el scope que necesita esta operación, un nombre en `include` o un campo del cuerpo; o la clave de API se creó sin él; o el dueño de la clave es lector en esta tienda y solo puede leer. `errors.scope` dice cuál.',
      remedy:
        'Añade el scope a tu solicitud de autorización y lleva al comerciante por ella otra vez, o crea una clave de API que lo tenga. Hasta entonces, omite el campo o el include que lo necesita.',
    },
  },
  key_not_for_store: {
    en: {
      meaning:
        'The user of this API key is a member of the store, but the key was made for other stores.',
      remedy: 'Use a key that was made for this store, or for all stores of its user.',
    },
    'pt-BR': {
      meaning:
        'O usuário desta chave de API é membro da loja, mas a chave foi criada para outras lojas.',
      remedy: 'Use uma chave criada para esta loja ou para todas as lojas do usuário.',
    },
    es: {
      meaning:
        'El usuario de esta clave de API es miembro de la tienda, pero la clave se creó para otras tiendas.',
      remedy: 'Usa una clave creada para esta tienda o para todas las tiendas de su usuario.',
    },
  },
  second_factor_required: {
    en: {
      meaning:
        'The owner of the store requires two-step sign-in of all its members, and the user of this API key, or the member who connected this app, has none. Keys and connections from before that rule stop, too.',
      remedy:
        'Let them set up two-step sign-in on the account pages. The key, or the connection with its tokens, then works again as it is.',
    },
    'pt-BR': {
      meaning:
        'O dono da loja exige a verificação em duas etapas de todos os membros, e o usuário desta chave de API, ou o membro que conectou este app, não a configurou. Chaves e conexões anteriores a essa regra também param.',
      remedy:
        'Peça que essa pessoa configure a verificação em duas etapas nas páginas da conta. A chave, ou a conexão com seus tokens, volta então a funcionar como está.',
    },
    es: {
      meaning:
        'El dueño de la tienda exige la verificación en dos pasos a todos los miembros, y el usuario de esta clave de API, o el miembro que conectó esta app, no la configuró. Las claves y conexiones anteriores a esa regla también dejan de funcionar.',
      remedy:
        'Pide a esa persona que configure la verificación en dos pasos en las páginas de su cuenta. La clave, o la conexión con sus tokens, vuelve entonces a funcionar como está.',
    },
  },
  origin_not_allowed: {
    en: {
      meaning:
        'The request to the server for assistants has an `Origin` that it does not accept: that of a page without https, or locally that of another host.',
      remedy:
        'Serve the page over https, or call from a program, which sends no `Origin`. Locally, open the page on `localhost`.',
    },
    'pt-BR': {
      meaning:
        'A requisição ao servidor de assistentes tem um `Origin` que ele não aceita: o de uma página sem https ou, localmente, o de outro host.',
      remedy:
        'Sirva a página por https, ou chame de um programa, que não envia `Origin`. Localmente, abra a página em `localhost`.',
    },
    es: {
      meaning:
        'La solicitud al servidor de asistentes tiene un `Origin` que no acepta: el de una página sin https o, localmente, el de otro host.',
      remedy:
        'Sirve la página por https, o llama desde un programa, que no envía `Origin`. Localmente, abre la página en `localhost`.',
    },
  },
  operator_only: {
    en: {
      meaning:
        'The operations under `/v2/operator` belong to those who run this deployment. They take an API key that an operator made for operators. No bearer token and no other key opens them, and neither does such a key while its user has no two-step sign-in where one is required.',
      remedy:
        'If you are an operator, set up two-step sign-in and make an API key for operators on the account pages.',
    },
    'pt-BR': {
      meaning:
        'As operações em `/v2/operator` são de quem opera esta instalação. Elas aceitam uma chave de API que um operador criou para operadores. Nenhum bearer token e nenhuma outra chave as abre, nem uma chave dessas enquanto o usuário não tem a verificação em duas etapas onde ela é exigida.',
      remedy:
        'Se você é operador, configure a verificação em duas etapas e crie uma chave de API para operadores nas páginas da conta.',
    },
    es: {
      meaning:
        'Las operaciones de `/v2/operator` son de quienes operan esta instalación. Aceptan una clave de API que un operador creó para operadores. Ningún bearer token ni otra clave las abre, ni tampoco una clave así mientras su usuario no tenga la verificación en dos pasos donde se exige.',
      remedy:
        'Si eres operador, configura la verificación en dos pasos y crea una clave de API para operadores en las páginas de la cuenta.',
    },
  },
  test_store_only: {
    en: {
      meaning:
        'The operation exists in test stores only: the simulation of a payment, and the test clock.',
      remedy:
        'Use a test store. In a real store, the outcome comes from the payment gateway, and time passes by itself.',
    },
    'pt-BR': {
      meaning:
        'A operação só existe em lojas de teste: a simulação de um pagamento e o relógio de teste.',
      remedy:
        'Use uma loja de teste. Numa loja real, o resultado vem do gateway de pagamento, e o tempo passa sozinho.',
    },
    es: {
      meaning:
        'La operación solo existe en tiendas de prueba: la simulación de un pago y el reloj de prueba.',
      remedy:
        'Usa una tienda de prueba. En una tienda real, el resultado llega de la pasarela de pago y el tiempo pasa solo.',
    },
  },
  rate_limited: {
    en: {
      meaning:
        'A limit of requests is used up: of the credential, of the store, or of your network after many rejected credentials. `RateLimit` names the policy, and nothing was changed.',
      remedy:
        'Wait for the seconds of `Retry-After`, then repeat the request. Spread work over time, walk lists with `limit=100`, and change many records with one bulk call.',
    },
    'pt-BR': {
      meaning:
        'Um limite de requisições se esgotou: o da credencial, o da loja, ou o da sua rede depois de muitas credenciais recusadas. `RateLimit` diz qual política, e nada foi alterado.',
      remedy:
        'Espere os segundos de `Retry-After` e repita a requisição. Distribua o trabalho no tempo, percorra listas com `limit=100` e altere muitos registros numa só chamada em massa.',
    },
    es: {
      meaning:
        'Se agotó un límite de solicitudes: el de la credencial, el de la tienda, o el de tu red tras muchas credenciales rechazadas. `RateLimit` nombra la política, y no se cambió nada.',
      remedy:
        'Espera los segundos de `Retry-After` y repite la solicitud. Reparte el trabajo en el tiempo, recorre las listas con `limit=100` y cambia muchos registros con una sola llamada en masa.',
    },
  },
  event_budget: {
    en: {
      meaning:
        'The change would record an event, and the store has used up its budget of bytes of events for the day (UTC). So calls that change many records take turns of ten seconds, and this one is full; 10 MB of single changes fill it, too. Nothing was changed; reads, sales and changes of stock never wait.',
      remedy:
        'Repeat the request after the seconds of `Retry-After`, and find out what changes so many records: usually a program that writes values which did not change.',
    },
    'pt-BR': {
      meaning:
        'A alteração registraria um evento, e a loja já esgotou o orçamento de bytes de eventos do dia (UTC). Por isso as chamadas que alteram muitos registros vão em turnos de dez segundos, e este está cheio; 10 MB de alterações de um só registro também o enchem. Nada foi alterado; leituras, vendas e mudanças de estoque nunca esperam.',
      remedy:
        'Repita a requisição depois dos segundos de `Retry-After` e descubra o que altera tantos registros: em geral um programa que grava valores que não mudaram.',
    },
    es: {
      meaning:
        'El cambio registraría un evento, y la tienda ya agotó su presupuesto de bytes de eventos del día (UTC). Por eso las llamadas que cambian muchos registros van por turnos de diez segundos, y este está lleno; 10 MB de cambios de un solo registro también lo llenan. No se cambió nada; las lecturas, las ventas y los cambios de stock nunca esperan.',
      remedy:
        'Repite la solicitud después de los segundos de `Retry-After` y averigua qué cambia tantos registros: casi siempre un programa que escribe valores que no cambiaron.',
    },
  },
  internal_error: {
    en: {
      meaning: 'An error on our side, which we have logged under the request id.',
      remedy:
        'Repeat the request once; a write with its `Idempotency-Key`, so that nothing happens twice. If it fails again, report `request_id`.',
    },
    'pt-BR': {
      meaning: 'Um erro do nosso lado, que registramos com o id da requisição.',
      remedy:
        'Repita a requisição uma vez; uma escrita com a sua `Idempotency-Key`, para que nada aconteça duas vezes. Se falhar de novo, informe `request_id`.',
    },
    es: {
      meaning: 'Un error de nuestro lado, que registramos con el id de la solicitud.',
      remedy:
        'Repite la solicitud una vez; una escritura con su `Idempotency-Key`, para que nada ocurra dos veces. Si falla de nuevo, comunica `request_id`.',
    },
  },
  unavailable: {
    en: {
      meaning:
        'The data cannot be reached for a moment: the database does not respond in time, or many requests change the same record.',
      remedy:
        'Repeat the request after the seconds of `Retry-After`, and wait longer each time. A write may have been made if its answer was lost, so send its `Idempotency-Key` again.',
    },
    'pt-BR': {
      meaning:
        'Os dados não estão acessíveis por um momento: o banco não responde a tempo, ou muitas requisições alteram o mesmo registro.',
      remedy:
        'Repita a requisição após os segundos de `Retry-After`, esperando mais a cada vez. Uma escrita pode ter sido feita se a resposta se perdeu; envie de novo a sua `Idempotency-Key`.',
    },
    es: {
      meaning:
        'Por un momento no se puede llegar a los datos: la base no responde a tiempo, o muchas solicitudes cambian el mismo registro.',
      remedy:
        'Repite la solicitud tras los segundos de `Retry-After`, esperando más cada vez. Una escritura puede haberse hecho si se perdió su respuesta; envía de nuevo su `Idempotency-Key`.',
    },
  },
  storage_full: {
    en: {
      meaning:
        'The database of the store takes no more data. Reads still work, and we have been notified.',
      remedy: 'Stop writing, and try one request again after some minutes.',
    },
    'pt-BR': {
      meaning:
        'O banco de dados da loja não aceita mais dados. Leituras continuam, e já fomos avisados.',
      remedy: 'Pare de escrever e tente uma requisição de novo após alguns minutos.',
    },
    es: {
      meaning:
        'La base de datos de la tienda no admite más datos. Las lecturas siguen, y ya estamos avisados.',
      remedy: 'Deja de escribir y prueba una solicitud de nuevo al cabo de unos minutos.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
