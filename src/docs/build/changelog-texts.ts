/** An entry of the changelog that concerns those who call the API, in the other languages of the documentation. */
interface ChangelogText {
  /** How the entry begins. */
  begins: string;
  'pt-BR': string;
  es: string;
  /** Ids of operations that it touches, besides those whose method and path the entry names. */
  operations?: readonly string[];
}

/** The kinds of entries of the changelog. */
export const changelogKinds: Readonly<Record<string, { 'pt-BR': string; es: string }>> = {
  Added: { 'pt-BR': 'Novo', es: 'Nuevo' },
  Changed: { 'pt-BR': 'Alterado', es: 'Cambiado' },
  Fixed: { 'pt-BR': 'Corrigido', es: 'Corregido' },
  Removed: { 'pt-BR': 'Removido', es: 'Eliminado' },
  Security: { 'pt-BR': 'Segurança', es: 'Seguridad' },
};

/** The translated entries. One without a translation is on the English page only, to which the others link. */
export const changelogTexts: readonly ChangelogText[] = [
  {
    begins: 'Beyond the event budget of the day',
    'pt-BR':
      'Além do orçamento de eventos do dia, as mudanças de um só registro continuam na hora. Só as importações e `PUT /{alias}/catalog/prices` vão em turnos de dez segundos, em que um 429 `event_budget` dura o resto do turno. 10 MB de mudanças de um só registro em dez segundos também enchem um turno.',
    es: 'Más allá del presupuesto de eventos del día, los cambios de un solo registro siguen en el acto. Solo las importaciones y `PUT /{alias}/catalog/prices` van por turnos de diez segundos, en los que un 429 `event_budget` dura el resto del turno. 10 MB de cambios de un solo registro en diez segundos también llenan un turno.',
  },
  {
    begins: 'Old bodies of events stay in the archive',
    'pt-BR':
      'Corpos antigos de eventos ficam no arquivo morto por 30 dias depois dos seus eventos, como os backups, para que um banco de dados restaurado os encontre. Ninguém os recebe, e a exclusão de uma loja os apaga na hora. O guia de privacidade diz isso.',
    es: 'Los cuerpos antiguos de los eventos quedan en el archivo 30 días después de sus eventos, como las copias de seguridad, para que una base de datos restaurada los encuentre. Nadie los recibe, y el borrado de una tienda los borra en el acto. La guía de privacidad lo dice.',
  },
  {
    begins: 'The health of the service is of 100 databases at a time',
    'pt-BR':
      'A saúde do serviço mostra 100 bancos de dados por vez, por `GET /operator/health` e na página dos operadores: `next_shard` de uma resposta é `from_shard` da próxima requisição.',
    es: 'La salud del servicio muestra 100 bases de datos a la vez, por `GET /operator/health` y en la página de los operadores: `next_shard` de una respuesta es `from_shard` de la siguiente solicitud.',
  },
  {
    begins: 'Partners get the changelog by e-mail',
    'pt-BR':
      'Parceiros recebem as novidades por e-mail se pedirem na página dos seus apps: no máximo um por dia, com o que há de novo desde o último.',
    es: 'Los partners reciben los cambios por correo si lo piden en la página de sus apps: uno al día como máximo, con lo nuevo desde el último.',
  },
  {
    begins: 'E-mails that may be switched off have a link',
    'pt-BR':
      'Os e-mails que podem ser desativados têm um link que para os do seu tipo sem entrar na conta, e os cabeçalhos com que as caixas de entrada mostram um botão para isso (RFC 8058).',
    es: 'Los correos que se pueden desactivar tienen un enlace que detiene los de su tipo sin iniciar sesión, y los encabezados con los que los buzones muestran un botón para ello (RFC 8058).',
  },
  {
    begins: 'The page of an app shows its next step',
    'pt-BR':
      'A página de um app mostra o próximo passo e agrupa o resto; o que encerra conexões fica no fim. Um app novo ou uma chave nova mostra a permissão de cada área só quando é preciso escolhê-la.',
    es: 'La página de una app muestra el siguiente paso y agrupa el resto; lo que termina conexiones queda al final. Una app nueva o una clave nueva muestra el permiso de cada área solo cuando hay que elegirlo.',
  },
  {
    begins: 'Each page of the documentation has less than 60,000 bytes',
    'pt-BR':
      'Cada página da documentação tem menos de 60.000 bytes, exceto as novidades em inglês: um tema da referência com mais de nove operações tem várias páginas, e links para a primeira encontram as operações das outras.',
    es: 'Cada página de la documentación tiene menos de 60.000 bytes, salvo los cambios en inglés: un tema de la referencia con más de nueve operaciones tiene varias páginas, y los enlaces a la primera encuentran las operaciones de las demás.',
  },
  {
    begins: 'An import tells of itself by one event at its end',
    'pt-BR':
      'Uma importação avisa no fim com um só evento, `catalog.import_completed`, com as suas contagens, também se é cancelada ou falha. Webhooks o assinam como evento adicional. Com `product_events=false` os produtos dela não enviam nenhum (`POST /{alias}/catalog/imports`); a página de importações tem a mesma escolha.',
    es: 'Una importación avisa al final con un solo evento, `catalog.import_completed`, con sus recuentos, también si se cancela o falla. Los webhooks se suscriben a él como evento adicional. Con `product_events=false` sus productos no envían ninguno (`POST /{alias}/catalog/imports`); la página de importaciones tiene la misma opción.',
  },
  {
    begins: 'A Python client with the names',
    'pt-BR':
      'Um cliente Python com os nomes, erros e repetições do cliente TypeScript, também para apps e webhooks: `npm run build:python`. Precisa de Python 3.9 e de nenhum outro pacote.',
    es: 'Un cliente de Python con los nombres, errores y reintentos del cliente de TypeScript, también para apps y webhooks: `npm run build:python`. Necesita Python 3.9 y ningún otro paquete.',
  },
  {
    begins: 'A PHP client with the same names',
    'pt-BR':
      'Um cliente PHP com os mesmos nomes, erros e repetições, como pacote do Composer: `npm run build:php`. Precisa de PHP 8.1 com a extensão curl, e de nenhum outro pacote.',
    es: 'Un cliente de PHP con los mismos nombres, errores y reintentos, como paquete para Composer: `npm run build:php`. Necesita PHP 8.1 con la extensión curl, y ningún otro paquete.',
  },
  {
    begins: 'Another name, another publisher or a site on another domain ends the proof',
    'pt-BR':
      'Outro nome, outro responsável ou um site em outro domínio encerra a prova do domínio de um app até que ela seja feita de novo, como um logotipo novo: os lojistas os leem ao lado de “verificado”.',
    es: 'Otro nombre, otro responsable o un sitio en otro dominio termina la prueba del dominio de una app hasta que se haga de nuevo, como un logotipo nuevo: los comerciantes los leen junto a «verificado».',
  },
  {
    begins: 'Imports and exports say what they wait for',
    'pt-BR':
      'Importações e exportações dizem o que esperam e desde quando, quantas linhas fazem por segundo e quanto ainda demoram, em `GET /{alias}/catalog/imports/{id}`, `GET /{alias}/catalog/exports/{id}` e nas suas páginas.',
    es: 'Las importaciones y exportaciones dicen qué esperan y desde cuándo, cuántas líneas hacen por segundo y cuánto tardan todavía, en `GET /{alias}/catalog/imports/{id}`, `GET /{alias}/catalog/exports/{id}` y en sus páginas.',
  },
  {
    begins: 'One import takes 1,000,000 lines',
    'pt-BR':
      'Uma importação aceita 1.000.000 de linhas e 2 GiB; eram 10.000 e 32 MiB (`POST /{alias}/catalog/imports`).',
    es: 'Una importación admite 1.000.000 de líneas y 2 GiB; eran 10.000 y 32 MiB (`POST /{alias}/catalog/imports`).',
  },
  {
    begins: 'Imports are about ten times as fast',
    'pt-BR':
      'As importações são cerca de dez vezes mais rápidas: dezesseis linhas são lidas e gravadas juntas, com poucos comandos (`POST /{alias}/catalog/imports`).',
    es: 'Las importaciones son unas diez veces más rápidas: dieciséis líneas se leen y se escriben juntas, con pocas sentencias (`POST /{alias}/catalog/imports`).',
  },
  {
    begins: 'All operations are a collection for Postman',
    'pt-BR':
      'Todas as operações são uma coleção para Postman e Bruno: `/docs/postman.json`, feita do documento OpenAPI.',
    es: 'Todas las operaciones son una colección para Postman y Bruno: `/docs/postman.json`, hecha del documento OpenAPI.',
  },
  {
    begins: 'The changelog has a day for each change',
    'pt-BR':
      'As novidades têm o dia de cada mudança e as operações que ela toca, também como feed (Atom): `/docs/pt-br/changelog.atom`.',
    es: 'Los cambios llevan el día de cada uno y las operaciones que toca, también como feed (Atom): `/docs/es/changelog.atom`.',
  },
  {
    begins: 'In a store of more than 10,000 orders, `orderBy=value_total`',
    operations: ['listOrders', 'listTransactions'],
    'pt-BR':
      'Em uma loja com mais de 10.000 pedidos, `orderBy=value_total` dos pedidos e `orderBy=amount` das transações precisam de um filtro. Um filtro de transações por parcelas, cliente, forma de pagamento ou data pode dar uma página curta com `links.next`.',
    es: 'En una tienda con más de 10.000 pedidos, `orderBy=value_total` de los pedidos y `orderBy=amount` de las transacciones necesitan un filtro. Un filtro de transacciones por cuotas, cliente, forma de pago o fecha puede dar una página corta con `links.next`.',
  },
  {
    begins: 'Partners see the requests of an app',
    'pt-BR':
      'Parceiros veem as requisições de um app, e membros as de uma chave de API, dos últimos sete dias: todas as que falharam, e das outras uma amostra que se declara. Uma linha tem método, operação, status, código, duração, id e os nomes do que foi enviado, nunca um valor. `GET /{alias}/requests` e `store-api logs --requests --follow` leem o registro.',
    es: 'Los partners ven las solicitudes de una app, y los miembros las de una clave de API, de los últimos siete días: todas las que fallaron, y de las demás una muestra que se declara. Una línea tiene método, operación, estado, código, duración, id y los nombres de lo enviado, nunca un valor. `GET /{alias}/requests` y `store-api logs --requests --follow` leen el registro.',
  },
  {
    begins: 'An API key or an app may read from near copies',
    'pt-BR':
      'Uma chave de API ou um app pode ler de cópias próximas sem o cabeçalho, por uma escolha no seu formulário. `Prefer: read=newest` pede o estado mais novo.',
    es: 'Una clave de API o una app puede leer de copias cercanas sin la cabecera, por una elección en su formulario. `Prefer: read=newest` pide el estado más nuevo.',
  },
  {
    begins: 'Lists of the catalogue have an `ETag`',
    operations: ['listProducts', 'listBrands', 'listCategories', 'listCollections'],
    'pt-BR':
      'As listas do catálogo têm `ETag`, e `If-None-Match` dá 304 até que o catálogo da loja mude.',
    es: 'Las listas del catálogo tienen `ETag`, y `If-None-Match` da 304 hasta que cambie el catálogo de la tienda.',
  },
  {
    begins: '`POST /{alias}/orders` takes `customer`',
    'pt-BR':
      '`POST /{alias}/orders` aceita `customer` em vez de `customer_id`: compra o cliente com esse e-mail, que é criado com o pedido se a loja ainda não o tem. Pedido, cliente e pagamento capturado são uma só mudança.',
    es: '`POST /{alias}/orders` acepta `customer` en lugar de `customer_id`: compra el cliente con ese correo, que se crea con el pedido si la tienda aún no lo tiene. Pedido, cliente y pago capturado son un solo cambio.',
  },
  {
    begins: 'The TypeScript client connects apps',
    operations: ['authorizeApp', 'issueTokens', 'revokeToken'],
    'pt-BR':
      'O cliente TypeScript conecta apps: `oauthApp` monta a URL de autorização, troca o código, renova tokens que vários processos compartilham e desinstala; `webhooks.verifyAppEvent` verifica o webhook de um app. O guia de OAuth traz um app inteiro em 57 linhas.',
    es: 'El cliente de TypeScript conecta apps: `oauthApp` crea la URL de autorización, canjea el código, renueva tokens que varios procesos comparten y desinstala; `webhooks.verifyAppEvent` verifica el webhook de una app. La guía de OAuth trae una app entera en 57 líneas.',
  },
  {
    begins: 'The bodies of requests in the OpenAPI document',
    operations: ['listActivity'],
    'pt-BR':
      'No documento OpenAPI, cada corpo de requisição diz o que é; o corpo que só tem `reason` chama-se `ReasonInput`. `kind` da atividade é um enum: outro valor no parâmetro é 400.',
    es: 'En el documento OpenAPI, cada cuerpo de solicitud dice qué es; el que solo lleva `reason` se llama `ReasonInput`. `kind` de la actividad es un enum: otro valor en el parámetro es 400.',
  },
  {
    begins: 'Examples of the OpenAPI document have values',
    'pt-BR':
      'Os exemplos do documento OpenAPI têm valores dos próprios campos, e nele `timezone_type` é um inteiro.',
    es: 'Los ejemplos del documento OpenAPI llevan valores de sus propios campos, y en él `timezone_type` es un entero.',
  },
  {
    begins: 'An operator gives a store an event budget and requests a minute',
    'pt-BR':
      'A equipe do serviço dá a uma loja um orçamento de eventos e requisições por minuto próprios (`POST /operator/stores/{id}/limits`), que o `RateLimit-Policy` mostra. A página da loja mostra os eventos de hoje, e o dono e os gerentes recebem um e-mail aos 50 e aos 80 % do orçamento.',
    es: 'El equipo del servicio da a una tienda un presupuesto de eventos y solicitudes por minuto propios (`POST /operator/stores/{id}/limits`), que muestra el `RateLimit-Policy`. La página de la tienda muestra los eventos de hoy, y el dueño y los gestores reciben un correo al 50 y al 80 % del presupuesto.',
  },
  {
    begins: 'A store beyond its event budget of the day',
    'pt-BR':
      'Uma loja que passou do orçamento de eventos do dia continua mudando seu catálogo: essas mudanças vão em turnos, e um 429 `event_budget` dura segundos, não mais até a meia-noite. Uma importação também continua em segundos.',
    es: 'Una tienda que superó su presupuesto de eventos del día sigue cambiando su catálogo: esos cambios van por turnos, y un 429 `event_budget` dura segundos, ya no hasta la medianoche. Una importación también sigue en segundos.',
  },
  {
    begins: 'A store that has used up its event budget',
    'pt-BR':
      'Uma loja que esgotou o volume diário de eventos continua vendendo: mudanças de carrinhos, pedidos, pagamentos, transações, notas fiscais, clientes e estoque são registradas e nunca recebem 429 `event_budget`.',
    es: 'Una tienda que agotó su volumen diario de eventos sigue vendiendo: los cambios de carritos, pedidos, pagos, transacciones, facturas, clientes y stock se registran y nunca reciben 429 `event_budget`.',
  },
  {
    begins: 'A page past the end of a list is 200',
    'pt-BR':
      'Uma página além do fim de uma lista é 200 e vazia, qualquer que seja o número; 400 é só para uma página que existe além dos primeiros 10.000 registros.',
    es: 'Una página más allá del final de una lista es 200 y vacía, sea cual sea su número; 400 es solo para una página que existe más allá de los primeros 10.000 registros.',
  },
  {
    begins: 'A refused payment has neither',
    operations: ['showTransaction', 'captureTransaction', 'cancelTransaction'],
    'pt-BR':
      'Um pagamento recusado não tem `authorized_at` nem `capture_date`; um que é cancelado antes da captura não tem `capture_date`.',
    es: 'Un pago rechazado no tiene `authorized_at` ni `capture_date`; uno que se cancela antes de la captura no tiene `capture_date`.',
  },
  {
    begins: '`POST /auth/me` says `super_user: true`',
    'pt-BR':
      '`POST /auth/me` diz `super_user: true` para um operador. Um 403 por escopos nomeia todos os que faltam, em `errors`, na dica e em `WWW-Authenticate`. A dica de um 415 nomeia o `Content-Type` a enviar.',
    es: '`POST /auth/me` dice `super_user: true` para un operador. Un 403 por permisos nombra todos los que faltan, en `errors`, en la pista y en `WWW-Authenticate`. La pista de un 415 nombra el `Content-Type` que hay que enviar.',
  },
  {
    begins: 'Editing or resuming a webhook by page',
    'pt-BR':
      'Editar ou retomar um webhook na página pede uma nova confirmação. Dono e gerentes recebem um e-mail com o host quando os eventos da loja passam a ir para um novo endereço, por página, chave ou app.',
    es: 'Editar o reanudar un webhook en la página pide una nueva confirmación. El dueño y los gestores reciben un correo con el host cuando los eventos de la tienda pasan a ir a una dirección nueva, por página, clave o app.',
  },
  {
    begins: 'The activity of a store does not name operators',
    operations: ['listActivity'],
    'pt-BR':
      'A atividade de uma loja não nomeia operadores: eles são um só autor, o serviço. Um app, e uma chave com escopos escolhidos, não veem de onde veio uma requisição (`from` é null) nem os endereços de convidados.',
    es: 'La actividad de una tienda no nombra a los operadores: son un solo autor, el servicio. Una app, y una clave con permisos elegidos, no ven de dónde vino una solicitud (`from` es null) ni las direcciones de los invitados.',
  },
  {
    begins: 'An API key of a member without two-step sign-in',
    'pt-BR':
      'A chave de API de um membro sem verificação em duas etapas não alcança uma loja que o exige: 403 `second_factor_required`.',
    es: 'La clave de API de un miembro sin verificación en dos pasos no alcanza una tienda que lo exige: 403 `second_factor_required`.',
  },
  {
    begins: 'API keys can be limited',
    'pt-BR':
      'Chaves de API podem ser limitadas: a algumas lojas, a escopos, a um fim. A chave de um leitor só lê. Chaves existentes mantêm todos os poderes. Uma recusa nomeia o escopo que falta, ou diz `key_not_for_store`.',
    es: 'Las claves de API se pueden limitar: a algunas tiendas, a permisos, a un final. La clave de un lector solo lee. Las claves existentes conservan todos sus poderes. Un rechazo nombra el permiso que falta, o dice `key_not_for_store`.',
  },
  {
    begins: 'A webhook of an app hears an event only while',
    operations: ['createWebhook', 'updateWebhook'],
    'pt-BR':
      'Um webhook de um app só recebe um evento enquanto uma autorização conectada do app na loja tem todos os escopos do evento. Autorizações que terminam pausam o que cobriam.',
    es: 'Un webhook de una app solo recibe un evento mientras una autorización conectada de la app en la tienda tiene todos los permisos del evento. Las autorizaciones que terminan pausan lo que cubrían.',
  },
  {
    begins: 'An API key with chosen scopes sees no personal data',
    'pt-BR':
      'Uma chave de API com escopos escolhidos não vê em `POST /auth/me` dados pessoais além do nome e do endereço do seu usuário.',
    es: 'Una clave de API con permisos elegidos no ve en `POST /auth/me` datos personales más allá del nombre y la dirección de su usuario.',
  },
  {
    begins: 'The clock of a test store is advanced once',
    operations: ['advanceTestClock'],
    'pt-BR':
      'O relógio de uma loja de teste avança uma vez a cada dez segundos (429 com `Retry-After`) e antecipa no máximo 500 registros que esperam (409 `test_store_full`).',
    es: 'El reloj de una tienda de prueba avanza una vez cada diez segundos (429 con `Retry-After`) y adelanta como máximo 500 registros que esperan (409 `test_store_full`).',
  },
  {
    begins: 'Rate limits count aliases that a credential',
    'pt-BR':
      'Os limites de requisições contam juntos os aliases que uma credencial não alcança, e os clientes por rede (endereço IPv4, /64 e /48 de IPv6).',
    es: 'Los límites de solicitudes cuentan juntos los alias que una credencial no alcanza, y los clientes por red (dirección IPv4, /64 y /48 de IPv6).',
  },
  {
    begins: 'An app sees the customer of carts and orders',
    operations: ['listCarts', 'listOrders', 'listProductSkus'],
    'pt-BR':
      'Um app vê o cliente de carrinhos e pedidos só com `customers.read`, e `total_in_stock` só com `inventory.read`.',
    es: 'Una app ve el cliente de carritos y pedidos solo con `customers.read`, y `total_in_stock` solo con `inventory.read`.',
  },
  {
    begins: 'A webhook whose URL has never returned 2xx',
    operations: ['createWebhook', 'updateWebhook'],
    'pt-BR':
      'Um webhook cuja URL nunca respondeu 2xx recebe um evento por passo do calendário de novas tentativas, dividido entre todos esses webhooks da loja com o mesmo host. Uma nova URL precisa se provar de novo.',
    es: 'Un webhook cuya URL nunca respondió 2xx recibe un evento por paso del calendario de reintentos, compartido entre todos esos webhooks de la tienda con el mismo host. Una URL nueva tiene que probarse otra vez.',
  },
  {
    begins: 'Bodies are read by bytes and at most to 1 MiB',
    'pt-BR': 'Corpos têm no máximo 1 MiB, 100 níveis e 10.000 membros, os de GET também.',
    es: 'Los cuerpos tienen como máximo 1 MiB, 100 niveles y 10.000 miembros, también los de GET.',
  },
  {
    begins: 'Answers have at most 6 MiB',
    'pt-BR': 'Respostas têm no máximo 6 MiB; uma página que seria maior é 400.',
    es: 'Las respuestas tienen como máximo 6 MiB; una página que sería mayor es 400.',
  },
  {
    begins: 'Fifty writers of one record at the same time',
    operations: ['updateSkuStock'],
    'pt-BR':
      'Cinquenta escritores de um registro ao mesmo tempo têm todos sucesso ou recebem um 4xx documentado, onde doze podiam receber um 503.',
    es: 'Cincuenta escritores de un registro a la vez tienen todos éxito o reciben un 4xx documentado, donde doce podían recibir un 503.',
  },
  {
    begins: 'In `/openapi.json` the record that was the component',
    operations: ['listOrderStates'],
    'pt-BR':
      'Em `/openapi.json`, o registro que era o componente `OrderStatus` é `OrderStatusRecord`; `include` e os filtros de vários valores são listas enviadas com vírgulas.',
    es: 'En `/openapi.json`, el registro que era el componente `OrderStatus` es `OrderStatusRecord`; `include` y los filtros de varios valores son listas que se envían con comas.',
  },
  {
    begins: 'The GET of one record takes `include` only',
    'pt-BR':
      'O GET de um registro aceita só `include`: `page`, `search` e semelhantes são nomeados em `X-Warning`, e são 400 numa requisição estrita.',
    es: 'El GET de un registro solo acepta `include`: `page`, `search` y similares se nombran en `X-Warning`, y son 400 en una solicitud estricta.',
  },
  {
    begins: '`links.next` of every list is a cursor',
    operations: ['listProducts', 'listOrders', 'listCustomers'],
    'pt-BR':
      '`links.next` de toda lista é um cursor: suas páginas não repetem nem perdem nada enquanto outros escrevem, em qualquer profundidade. Um cursor de outra consulta, loja ou credencial é 400 `cursor`; uma página além de 10.000 registros é 400 e diz como seguir.',
    es: '`links.next` de toda lista es un cursor: sus páginas no repiten ni pierden nada mientras otros escriben, a cualquier profundidad. Un cursor de otra consulta, tienda o credencial es 400 `cursor`; una página más allá de 10.000 registros es 400 y dice cómo seguir.',
  },
  {
    begins: 'Searches read an index of trigrams',
    operations: ['listProducts', 'listOrders', 'listCustomers'],
    'pt-BR':
      'Em lojas com mais de 10.000 registros de um tipo, os totais de listas filtradas param em 10.000 ou 1.000, com `X-Total-Capped: true`; uma página pode então ser curta enquanto `links.next` continua. Ordens sem índice são 400 além de 10.000 registros.',
    es: 'En tiendas con más de 10.000 registros de un tipo, los totales de listas filtradas se detienen en 10.000 o 1.000, con `X-Total-Capped: true`; una página puede entonces ser corta mientras `links.next` continúa. Los órdenes sin índice son 400 más allá de 10.000 registros.',
  },
  {
    begins: 'A body that is not UTF-8 is 400',
    'pt-BR':
      'Um corpo que não é UTF-8 é 400. O máximo de uma lista de ids conta os itens, repetidos também.',
    es: 'Un cuerpo que no es UTF-8 es 400. El máximo de una lista de ids cuenta sus elementos, también los repetidos.',
  },
  {
    begins: '`search` takes at most 5 values',
    operations: ['listProducts', 'listOrders', 'listCustomers'],
    'pt-BR':
      '`search` aceita no máximo 5 valores em vez de 20, e `searchFields` no máximo 20 condições. Os filtros `external_url` e `canonical_url` precisam ser URLs.',
    es: '`search` acepta como máximo 5 valores en vez de 20, y `searchFields` como máximo 20 condiciones. Los filtros `external_url` y `canonical_url` tienen que ser URL.',
  },
  {
    begins: 'Texts of SKUs are shorter',
    operations: ['createProductSku', 'updateSku'],
    'pt-BR':
      'Textos de SKUs são mais curtos: `sku` e `erp_id` 60 caracteres, `title` 120, `barcode` 30, no máximo 5 variações com nomes de 30 e valores de 50.',
    es: 'Los textos de los SKU son más cortos: `sku` y `erp_id` 60 caracteres, `title` 120, `barcode` 30, como máximo 5 variaciones con nombres de 30 y valores de 50.',
  },
  {
    begins: 'Apps need `customers.read` besides the scope',
    operations: ['createWebhook'],
    'pt-BR':
      'Apps precisam de `customers.read`, além do escopo da área, para receber `order.created`, `order.paid`, `order.status.updated`, `cart.reminder` e `transaction.payment.refused`.',
    es: 'Las apps necesitan `customers.read`, además del permiso del área, para recibir `order.created`, `order.paid`, `order.status.updated`, `cart.reminder` y `transaction.payment.refused`.',
  },
  {
    begins: 'A 401 names a header that is missing',
    'pt-BR': 'Um 401 nomeia em `errors` um cabeçalho que falta.',
    es: 'Un 401 nombra en `errors` una cabecera que falta.',
  },
  {
    begins: 'All credentials of a store together',
    'pt-BR':
      'Todas as credenciais de uma loja juntas podem enviar 3.000 requisições por minuto. Uma requisição com `search` conta como cinco.',
    es: 'Todas las credenciales de una tienda juntas pueden enviar 3.000 solicitudes por minuto. Una solicitud con `search` cuenta como cinco.',
  },
  {
    begins: 'Apps: `include=customer`',
    operations: ['createOrder', 'createCart', 'orderCart'],
    'pt-BR':
      'Apps: `include=customer`, e `customer_id` ou `shipping_address_id` num corpo, são 403 sem `customers.read`. Transformar um carrinho em pedido exige `orders.write` em vez de `carts.write`.',
    es: 'Apps: `include=customer`, y `customer_id` o `shipping_address_id` en un cuerpo, son 403 sin `customers.read`. Convertir un carrito en pedido exige `orders.write` en vez de `carts.write`.',
  },
  {
    begins: 'Unknown query parameters are named',
    'pt-BR':
      'Parâmetros de query desconhecidos são nomeados em `X-Warning`, ou são 400 numa requisição estrita, em toda operação de `/v2`.',
    es: 'Los parámetros de query desconocidos se nombran en `X-Warning`, o son 400 en una solicitud estricta, en toda operación de `/v2`.',
  },
  {
    begins: 'Reports: `GET /{alias}/reports/sales`',
    operations: ['showSalesSummary', 'listLowStock', 'findOrders', 'explainWebhookFailures'],
    'pt-BR':
      'Relatórios: `GET /{alias}/reports/sales` resume um período por dia e produto, `/reports/low-stock` lista os SKUs que estão acabando com as vendas de 30 dias, `/reports/orders` encontra pedidos por número, nome ou e-mail. `GET /{alias}/webhooks/{id}/failures` diz em palavras por que um webhook falha e o que fazer.',
    es: 'Informes: `GET /{alias}/reports/sales` resume un período por día y producto, `/reports/low-stock` lista los SKU que se agotan con las ventas de 30 días, `/reports/orders` encuentra pedidos por número, nombre o correo. `GET /{alias}/webhooks/{id}/failures` dice en palabras por qué falla un webhook y qué hacer.',
  },
  {
    begins: 'A held delivery can be sent at once',
    'pt-BR':
      'Uma entrega retida pode ser enviada na hora, também com o webhook pausado: nas páginas e por `POST /{alias}/webhooks/{id}/deliveries/{seq}/send`. Ela não é enviada de novo quando o webhook é retomado.',
    es: 'Una entrega retenida se puede enviar al momento, también con el webhook en pausa: en las páginas y con `POST /{alias}/webhooks/{id}/deliveries/{seq}/send`. No se envía otra vez cuando el webhook se reanuda.',
  },
  {
    begins: '`GET /{alias}/audit` and the page Activity',
    'pt-BR':
      '`GET /{alias}/audit` e a página Atividade de uma loja: quem mudou membros, chaves, apps, webhooks, configurações, pagamento e e-mail, quando, de onde e o quê, por um ano.',
    es: '`GET /{alias}/audit` y la página Actividad de una tienda: quién cambió miembros, claves, apps, webhooks, ajustes, pagos y correo, cuándo, desde dónde y qué, durante un año.',
  },
  {
    begins: 'A deactivated store sends, captures and reminds nothing',
    'pt-BR':
      'Uma loja desativada não envia, não captura e não lembra nada: tudo espera, e segue quando ela volta a estar ativa.',
    es: 'Una tienda desactivada no envía, no captura y no recuerda nada: todo espera, y sigue cuando vuelve a estar activa.',
  },
  {
    begins: '`POST /{alias}/customers/{id}/export` returns everything',
    'pt-BR':
      '`POST /{alias}/customers/{id}/export` devolve tudo sobre um cliente. Anonimizar também tira o autor dos comentários.',
    es: '`POST /{alias}/customers/{id}/export` devuelve todo sobre un cliente. Anonimizar también quita al autor de los comentarios.',
  },
  {
    begins: 'Partners: up to five test stores',
    'pt-BR':
      'Parceiros: até cinco lojas de teste com catálogo, reinício e relógio de teste (`POST /{alias}/test/clock`); um teste que conecta um app a uma loja de teste; lojas conectadas com a saúde dos webhooks; as últimas 50 requisições recusadas de um app; uma equipe.',
    es: 'Partners: hasta cinco tiendas de prueba con catálogo, reinicio y reloj de prueba (`POST /{alias}/test/clock`); una prueba que conecta una app a una tienda de prueba; tiendas conectadas con la salud de sus webhooks; las últimas 50 solicitudes rechazadas de una app; un equipo.',
  },
  {
    begins: 'Partners: a webhook of the app itself',
    'pt-BR':
      'Parceiros: um webhook do próprio app recebe `app.connected`, `app.disconnected`, `customer.anonymized` e `store.closed`, também depois que uma conexão terminou.',
    es: 'Partners: un webhook de la propia app recibe `app.connected`, `app.disconnected`, `customer.anonymized` y `store.closed`, también después de que una conexión terminó.',
  },
  {
    begins: 'The command line `store-api`',
    'pt-BR':
      'A linha de comando `store-api`: entrar, chamar qualquer operação, ouvir com `listen` os eventos de uma loja numa porta sua, disparar um evento com `trigger` numa loja de teste, ler o registro de entregas.',
    es: 'La línea de comandos `store-api`: entrar, llamar a cualquier operación, escuchar con `listen` los eventos de una tienda en un puerto propio, disparar un evento con `trigger` en una tienda de prueba, leer el registro de entregas.',
  },
  {
    begins: 'A webhook can be created paused',
    operations: ['createWebhook'],
    'pt-BR':
      'Um webhook pode ser criado em pausa (`active` false): seus eventos são registrados e retidos, e nada é enviado.',
    es: 'Un webhook se puede crear en pausa (`active` false): sus eventos se registran y se retienen, y no se envía nada.',
  },
  {
    begins: 'Imports of products: a file of up to 10,000 lines',
    operations: [
      'createImport',
      'showImport',
      'cancelImport',
      'listImportErrors',
      'createExport',
      'downloadExport',
    ],
    'pt-BR':
      'Importações de produtos: um arquivo de até 10.000 linhas (NDJSON) vira um trabalho com progresso, erros por linha e cancelamento. Exportações escrevem todos os produtos num arquivo que pode ser importado de novo.',
    es: 'Importaciones de productos: un archivo de hasta 10.000 líneas (NDJSON) se convierte en un trabajo con progreso, errores por línea y cancelación. Las exportaciones escriben todos los productos en un archivo que se puede importar otra vez.',
  },
  {
    begins: '`npm run build:client` makes the package',
    'pt-BR':
      'O pacote `online-store-administration-client`: um cliente tipado de todas as operações, sem dependências, para Node, Workers, Deno, Bun e navegadores, que repete com segurança, renova tokens e verifica webhooks.',
    es: 'El paquete `online-store-administration-client`: un cliente tipado de todas las operaciones, sin dependencias, para Node, Workers, Deno, Bun y navegadores, que repite con seguridad, renueva tokens y verifica webhooks.',
  },
  {
    begins: 'Every operation, tag, event, field',
    'pt-BR':
      'Toda operação, evento, campo, parâmetro e valor de um enum em `/openapi.json` diz o que significa para uma loja; estados e tipos nas respostas são enums.',
    es: 'Toda operación, evento, campo, parámetro y valor de un enum en `/openapi.json` dice qué significa para una tienda; los estados y tipos de las respuestas son enums.',
  },
  {
    begins: 'Every refusal has `code`',
    'pt-BR':
      'Toda recusa tem `code` (um enum com significado e remédio), `hint` (o que fazer), `request_id` e `documentation_url`. Erros do endpoint de tokens têm `error_uri`.',
    es: 'Todo rechazo tiene `code` (un enum con significado y remedio), `hint` (qué hacer), `request_id` y `documentation_url`. Los errores del endpoint de tokens tienen `error_uri`.',
  },
  {
    begins: 'Every answer with one record has `ETag`',
    'pt-BR':
      'Toda resposta com um registro tem `ETag`. `If-None-Match` dá 304; PUT e DELETE com um `If-Match` antigo são 412 `precondition_failed` e não mudam nada.',
    es: 'Toda respuesta con un registro tiene `ETag`. `If-None-Match` da 304; PUT y DELETE con un `If-Match` antiguo son 412 `precondition_failed` y no cambian nada.',
  },
  {
    begins: '`PUT /{alias}/catalog/stocks` and',
    'pt-BR':
      '`PUT /{alias}/catalog/stocks` e `PUT /{alias}/catalog/prices` mudam até 500 SKUs por chamada, por id ou código, com um resultado para cada um.',
    es: '`PUT /{alias}/catalog/stocks` y `PUT /{alias}/catalog/prices` cambian hasta 500 SKU por llamada, por id o código, con un resultado para cada uno.',
  },
  {
    begins: 'Pages of other origins may call the API',
    'pt-BR': 'Páginas de outras origens podem chamar a API com uma chave ou um token (CORS).',
    es: 'Las páginas de otros orígenes pueden llamar a la API con una clave o un token (CORS).',
  },
  {
    begins: '`RateLimit-Policy` on every answer',
    'pt-BR':
      '`RateLimit-Policy` em toda resposta de uma operação, e `RateLimit` ao lado de `Retry-After` num 429.',
    es: '`RateLimit-Policy` en toda respuesta de una operación, y `RateLimit` junto a `Retry-After` en un 429.',
  },
  {
    begins: 'Every answer of a store has `X-Bookmark`',
    'pt-BR':
      'Toda resposta de uma loja tem `X-Bookmark`. Leituras que o enviam de volta, ou `Prefer: read=nearest`, podem ser respondidas por uma cópia do banco de dados perto de quem chama; `Preference-Applied` diz isso.',
    es: 'Toda respuesta de una tienda tiene `X-Bookmark`. Las lecturas que lo devuelven, o `Prefer: read=nearest`, las puede responder una copia de la base de datos cerca de quien llama; `Preference-Applied` lo dice.',
  },
];
