/** The requests that a limit counts, and the remedy. */
interface RateLimitText {
  counts: string;
  advice: string;
}

interface RateLimitMeaning {
  /** The name in `RateLimit-Policy` and `RateLimit`. */
  policy: string;
  /** The variable of the deployment that has the requests per minute. */
  variable:
    | 'API_PER_MINUTE'
    | 'ME_PER_MINUTE'
    | 'STORE_PER_MINUTE'
    | 'FAILED_AUTH_PER_MINUTE'
    | 'REVOCATIONS_PER_MINUTE'
    | 'REGISTRATIONS_PER_MINUTE';
  en: RateLimitText;
  'pt-BR': RateLimitText;
  es: RateLimitText;
}

/** The limits that clients of the API meet, in the order in which a request meets them. */
export const rateLimitRows: readonly RateLimitMeaning[] = [
  {
    policy: 'failed-auth',
    variable: 'FAILED_AUTH_PER_MINUTE',
    en: {
      counts: 'Requests whose credentials are rejected, per network (IPv4 address or /64 of IPv6).',
      advice: 'Stop after the first 401 that a refresh of the token does not mend.',
    },
    'pt-BR': {
      counts: 'Requisições com credenciais recusadas, por rede (endereço IPv4 ou /64 de IPv6).',
      advice: 'Pare no primeiro 401 que a renovação do token não resolve.',
    },
    es: {
      counts: 'Solicitudes con credenciales rechazadas, por red (dirección IPv4 o /64 de IPv6).',
      advice: 'Detente en el primer 401 que la renovación del token no resuelve.',
    },
  },
  {
    policy: 'credential',
    variable: 'API_PER_MINUTE',
    en: {
      counts:
        'Requests of one API key or one connection of an app, per store and title of the reference. A request with `search` counts as five, a bulk change as twenty.',
      advice: 'Walk lists with `limit=100`, follow the feed of events instead of polling.',
    },
    'pt-BR': {
      counts:
        'Requisições de uma chave de API ou de uma conexão de app, por loja e título da referência. Uma requisição com `search` conta como cinco, uma alteração em massa como vinte.',
      advice: 'Percorra listas com `limit=100`; siga o feed de eventos em vez de consultar sempre.',
    },
    es: {
      counts:
        'Solicitudes de una clave de API o de una conexión de app, por tienda y título de la referencia. Una solicitud con `search` cuenta como cinco, un cambio masivo como veinte.',
      advice: 'Recorre las listas con `limit=100`; sigue el feed de eventos en vez de sondear.',
    },
  },
  {
    policy: 'credential',
    variable: 'ME_PER_MINUTE',
    en: {
      counts: '`POST /v2/auth/me`, per credential.',
      advice: 'Call it once when a connection is made, and keep the answer.',
    },
    'pt-BR': {
      counts: '`POST /v2/auth/me`, por credencial.',
      advice: 'Chame uma vez quando a conexão é feita e guarde a resposta.',
    },
    es: {
      counts: '`POST /v2/auth/me`, por credencial.',
      advice: 'Llámalo una vez al crear la conexión y guarda la respuesta.',
    },
  },
  {
    policy: 'store',
    variable: 'STORE_PER_MINUTE',
    en: {
      counts: 'Requests of all credentials for one store together.',
      advice: 'Change many records with one bulk call or an import.',
    },
    'pt-BR': {
      counts: 'Requisições de todas as credenciais para uma loja, juntas.',
      advice: 'Altere muitos registros numa chamada em massa ou numa importação.',
    },
    es: {
      counts: 'Solicitudes de todas las credenciales para una tienda, juntas.',
      advice: 'Cambia muchos registros con una llamada en masa o una importación.',
    },
  },
  {
    policy: 'credential',
    variable: 'API_PER_MINUTE',
    en: {
      counts: '`POST /oauth/token`, per connection of an app.',
      advice: 'Refresh when the token expires, not before every request.',
    },
    'pt-BR': {
      counts: '`POST /oauth/token`, por conexão de um app.',
      advice: 'Renove quando o token expira, não antes de cada requisição.',
    },
    es: {
      counts: '`POST /oauth/token`, por conexión de una app.',
      advice: 'Renueva cuando el token caduca, no antes de cada solicitud.',
    },
  },
  {
    policy: 'revocations',
    variable: 'REVOCATIONS_PER_MINUTE',
    en: {
      counts: '`POST /oauth/revoke`, per app and connection.',
      advice: 'One revocation ends the whole connection.',
    },
    'pt-BR': {
      counts: '`POST /oauth/revoke`, por app e conexão.',
      advice: 'Uma revogação encerra a conexão inteira.',
    },
    es: {
      counts: '`POST /oauth/revoke`, por app y conexión.',
      advice: 'Una revocación termina la conexión entera.',
    },
  },
  {
    policy: 'registrations',
    variable: 'REGISTRATIONS_PER_MINUTE',
    en: {
      counts: '`POST /oauth/register`, per network (IPv4 address or /64 of IPv6).',
      advice: 'Register once and keep the client id, or use the address of your metadata as one.',
    },
    'pt-BR': {
      counts: '`POST /oauth/register`, por rede (endereço IPv4 ou /64 de IPv6).',
      advice: 'Registre uma vez e guarde o client id, ou use o endereço dos seus metadados.',
    },
    es: {
      counts: '`POST /oauth/register`, por red (dirección IPv4 o /64 de IPv6).',
      advice: 'Regístrate una vez y guarda el client id, o usa la dirección de tus metadatos.',
    },
  },
];
