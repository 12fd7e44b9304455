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
    begins: 'Tags of lists of the catalogue',
    'pt-BR':
      'As tags das listas do catálogo (`ETag`) dizem o que a página mostra, e não mais que algo no catálogo mudou: um 304 custa a consulta da lista, e cada mudança do catálogo escreve menos.',
    es: 'Las etiquetas de las listas del catálogo (`ETag`) dicen lo que la página muestra, y ya no que algo del catálogo cambió: un 304 cuesta la consulta de la lista, y cada cambio del catálogo escribe menos.',
  },
  {
    begins: 'The activity of a store (`GET /{alias}/audit`',
    'pt-BR':
      'A atividade de uma loja (`GET /{alias}/audit`, e a sua página) tem uma linha para cada mudança que um assistente faz por `POST /mcp`: `action` é a operação, como `createBrand`, e o alvo é o registro, do tipo `record`. A linha é gravada junto com a mudança, ou não é gravada.',
    es: 'La actividad de una tienda (`GET /{alias}/audit`, y su página) tiene una línea por cada cambio que un asistente hace por `POST /mcp`: `action` es la operación, como `createBrand`, y el objeto es el registro, del tipo `record`. La línea se guarda junto con el cambio, o no se guarda.',
  },
  {
    begins: 'Errors say which:',
    'pt-BR':
      'Os erros dizem qual: `error_description` de `POST /oauth/token`, `POST /oauth/revoke` e `GET /oauth/authorize` diz o parâmetro; um 404 de caminho desconhecido mostra o caminho mais próximo e o que há de errado; um JSON quebrado tem linha e coluna, ou o byte que não é UTF-8; um 401 avisa que uma chave de API foi enviada como token; um 403 lista de uma vez todos os escopos que faltam, também os de eventos e includes.',
    es: 'Los errores dicen cuál: `error_description` de `POST /oauth/token`, `POST /oauth/revoke` y `GET /oauth/authorize` nombra el parámetro; un 404 de una ruta desconocida muestra la ruta más cercana y qué está mal; un JSON roto tiene línea y columna, o el byte que no es UTF-8; un 401 avisa de una clave de API enviada como token; un 403 lista de una vez todos los scopes que faltan, también los de eventos e includes.',
  },
  {
    begins: 'Assistants (`POST /mcp`) read records by their address',
    'pt-BR':
      'Assistentes (`POST /mcp`) leem registros pelo endereço, como `store://order/12` (`resources/templates/list`), e completam ids de endereços e prompts por dígitos ou por uma busca (`completion/complete`). Uma importação ou exportação diz até onde chegou e quando olhar de novo.',
    es: 'Los asistentes (`POST /mcp`) leen registros por su dirección, como `store://order/12` (`resources/templates/list`), y completan ids de direcciones y prompts por dígitos o por una búsqueda (`completion/complete`). Una importación o exportación dice hasta dónde llegó y cuándo mirar de nuevo.',
  },
  {
    begins: 'A ping that a failing webhook answers with 2xx',
    'pt-BR':
      'Um ping a que um webhook com falhas responde com 2xx (`POST /{alias}/webhooks/{id}/ping`) o põe em ordem, e o que espera é enviado na hora; antes não mudava nada. `POST /{alias}/webhooks/{id}/resume` de um webhook ativo faz agora a próxima tentativa, como "Tentar agora" na página dele. Repetições que esperam são citadas em `X-Warning`.',
    es: 'Un ping al que un webhook con fallos responde con 2xx (`POST /{alias}/webhooks/{id}/ping`) lo pone en orden, y lo que espera se envía enseguida; antes no cambiaba nada. `POST /{alias}/webhooks/{id}/resume` de un webhook activo hace ahora el próximo intento, como "Intentar ahora" en su página. Las repeticiones que esperan se nombran en `X-Warning`.',
  },
  {
    begins: 'The log of deliveries has `state=failed`',
    'pt-BR':
      'O registro de entregas tem `state=failed`: aquelas cuja última tentativa falhou, com ou sem novas tentativas (`GET /{alias}/webhooks/{id}/deliveries`). A página de um webhook as filtra e conta com esta palavra; no gráfico, uma entrega que falhou estava "em espera".',
    es: 'El registro de entregas tiene `state=failed`: aquellas cuyo último intento falló, con o sin más intentos (`GET /{alias}/webhooks/{id}/deliveries`). La página de un webhook las filtra y cuenta con esta palabra; en el gráfico, una entrega que falló estaba "en espera".',
  },
  {
    begins: 'A deletion in the catalog says in `X-Warning`',
    'pt-BR':
      'Uma exclusão no catálogo diz em `X-Warning` o que perde o registro, como 5 produtos a sua marca (`DELETE /{alias}/catalog/brands/{id}`): as de marcas, categorias, coleções, filtros e seus valores, banners, produtos e SKUs.',
    es: 'Una eliminación en el catálogo dice en `X-Warning` qué pierde el registro, como 5 productos su marca (`DELETE /{alias}/catalog/brands/{id}`): las de marcas, categorías, colecciones, filtros y sus valores, banners, productos y SKUs.',
  },
  {
    begins: '`active: true` for a webhook that is active already',
    'pt-BR':
      '`active: true` para um webhook que já está ativo (`PUT /{alias}/webhooks/{id}`) não começa mais outra liberação de entregas retidas.',
    es: '`active: true` para un webhook que ya está activo (`PUT /{alias}/webhooks/{id}`) ya no empieza otra liberación de entregas retenidas.',
  },
  {
    begins: '`POST /mcp` checks who calls',
    'pt-BR':
      '`POST /mcp` verifica quem chama antes de responder sobre qualquer coisa: chamadas de ferramentas desconhecidas e argumentos que não chegam a nenhuma operação são 401 sem credenciais, e contam para quem chama. Eram respondidas a qualquer um que indicasse uma loja no endereço.',
    es: '`POST /mcp` comprueba quién llama antes de responder sobre cualquier cosa: las llamadas de herramientas desconocidas y los argumentos que no llegan a ninguna operación son 401 sin credenciales, y cuentan para quien llama. Se respondían a cualquiera que indicara una tienda en la dirección.',
  },
  {
    begins: 'Taking a change of address back ends what was given',
    'pt-BR':
      'Desfazer uma alteração de e-mail encerra o que foi dado a outros desde o pedido: membros que entraram por um convite desse tempo saem, webhooks configurados nele ficam pausados, redirect URIs voltam a ser as de antes, apps publicados nele voltam a ser rascunhos. Membros removidos, papéis e exigências voltam. Uma página e um e-mail ao endereço restaurado listam o que foi feito e o que permanece.',
    es: 'Deshacer un cambio de correo termina lo que se dio a otros desde que se pidió: los miembros que llegaron por una invitación de ese tiempo salen, los webhooks configurados entonces quedan en pausa, las redirect URIs vuelven a ser las de antes, las apps publicadas entonces vuelven a ser borradores. Vuelven los miembros quitados, los roles y las exigencias. Una página y un correo a la dirección restaurada listan lo que se hizo y lo que permanece.',
  },
  {
    begins: 'The command line has `--version`',
    'pt-BR':
      'A linha de comando tem `--version` e `--profile NOME`: `store-api login --profile live` guarda um login ao lado de outros, e os comandos seguintes com esse nome encontram o serviço e a loja dele.',
    es: 'La línea de comandos tiene `--version` y `--profile NOMBRE`: `store-api login --profile live` guarda un inicio de sesión junto a otros, y los comandos siguientes con ese nombre encuentran su servicio y su tienda.',
  },
  {
    begins: 'The Python and PHP clients have types',
    'pt-BR':
      'Os clientes Python e PHP têm tipos: stubs com `py.typed`, e tags. Editores completam métodos, filtros, corpos e registros, e verificadores de tipos os conhecem. O Python tem `__version__`.',
    es: 'Los clientes de Python y PHP tienen tipos: stubs con `py.typed`, y etiquetas. Los editores completan métodos, filtros, cuerpos y registros, y los verificadores de tipos los conocen. Python tiene `__version__`.',
  },
  {
    begins: 'The Python and PHP clients return dates',
    'pt-BR':
      'Os clientes Python e PHP devolvem datas como `datetime` e `DateTimeImmutable` no fuso da loja, pelas regras do cliente TypeScript. Devolviam o que foi enviado, como `request` e `walk` ainda fazem. O `User-Agent` deles tem a sua versão.',
    es: 'Los clientes de Python y PHP devuelven las fechas como `datetime` y `DateTimeImmutable` en la zona de la tienda, con las reglas del cliente de TypeScript. Devolvían lo que se envió, como siguen haciendo `request` y `walk`. Su `User-Agent` tiene su versión.',
  },
  {
    begins: 'Examples of a change name the record',
    'pt-BR':
      'Os exemplos de uma alteração, no documento OpenAPI e na coleção do Postman, dão ao registro outro nome que os da criação. Enviados em ordem, `PUT /{alias}/catalog/brands/{id}` era 422, pois o nome já existia.',
    es: 'Los ejemplos de un cambio, en el documento OpenAPI y en la colección de Postman, dan al registro otro nombre que los de la creación. Enviados en orden, `PUT /{alias}/catalog/brands/{id}` era 422, porque el nombre ya existía.',
  },
  {
    begins: 'Consent asks who signed in more than ten minutes ago',
    'pt-BR':
      'O consentimento pede a senha, ou um código da verificação em duas etapas, a quem entrou há mais de dez minutos, como agora todos os formulários que dão ou encerram acesso: convidar para uma equipe, publicar, desativar e desconectar um app, revogar uma chave, pausar e excluir um webhook, sair de uma loja.',
    es: 'El consentimiento pide la contraseña, o un código de la verificación en dos pasos, a quien inició sesión hace más de diez minutos, como ahora todos los formularios que dan o terminan acceso: invitar a un equipo, publicar, desactivar y desconectar una app, revocar una clave, pausar y eliminar un webhook, salir de una tienda.',
  },
  {
    begins: 'An event of an update names the fields that changed',
    'pt-BR':
      'Um evento de uma atualização diz os nomes dos campos que mudaram, como `name,skus.price_sale`: no cabeçalho `X-Service-Changed` das suas entregas, como `changed` em `GET /{alias}/events`, `GET /{alias}/webhooks/{id}/deliveries` e `GET /{alias}/webhooks/{id}/deliveries/{seq}`, na página de uma entrega, e no que devolvem os clientes que a verificam. Corpos e assinaturas ficam como estavam.',
    es: 'Un evento de una actualización dice los nombres de los campos que cambiaron, como `name,skus.price_sale`: en la cabecera `X-Service-Changed` de sus entregas, como `changed` en `GET /{alias}/events`, `GET /{alias}/webhooks/{id}/deliveries` y `GET /{alias}/webhooks/{id}/deliveries/{seq}`, en la página de una entrega, y en lo que devuelven los clientes que la verifican. Cuerpos y firmas quedan como estaban.',
  },
  {
    begins: '`POST /mcp` acknowledges an assistant that listens',
    'pt-BR':
      '`POST /mcp` confirma um assistente que escuta mudanças (`subscriptions/listen`) e encerra o fluxo, pois nenhuma ferramenta muda enquanto isso. Era um erro.',
    es: '`POST /mcp` confirma a un asistente que escucha cambios (`subscriptions/listen`) y termina el flujo, porque ninguna herramienta cambia mientras tanto. Era un error.',
  },
  {
    begins: '`PUT /{alias}/catalog/prices` changes the prices of all SKUs',
    'pt-BR':
      '`PUT /{alias}/catalog/prices` altera os preços de todos os SKUs que um `filter` da lista de produtos e uma `variant` encontram, por um `percent` de um dos preços ou para os de `set`: até 500 em uma transação. Ele e `PUT /{alias}/catalog/stocks` experimentam uma mudança com `dry_run`, e contam os resultados em `meta`.',
    es: '`PUT /{alias}/catalog/prices` cambia los precios de todos los SKU que encuentran un `filter` de la lista de productos y una `variant`, por un `percent` de uno de sus precios o a los de `set`: hasta 500 en una transacción. Él y `PUT /{alias}/catalog/stocks` prueban un cambio con `dry_run`, y cuentan los resultados en `meta`.',
  },
  {
    begins: '`GET /{alias}/customers` has the filters',
    'pt-BR':
      '`GET /{alias}/customers` tem os filtros `city` e `state`, sem diferenciar maiúsculas e acentos; os dois juntos são os de um mesmo endereço.',
    es: '`GET /{alias}/customers` tiene los filtros `city` y `state`, sin distinguir mayúsculas ni acentos; los dos juntos son los de una misma dirección.',
  },
  {
    begins: 'A call of an assistant that adds to a stock',
    'pt-BR':
      'Uma chamada de um assistente que soma a um estoque ou a preços é feita uma só vez quando o host a repete, como as que criam algo.',
    es: 'Una llamada de un asistente que suma a un stock o a precios se hace una sola vez cuando su host la repite, como las que crean algo.',
    operations: ['changeStocks', 'changePrices', 'updateSkuStock'],
  },
  {
    begins: '`GET /{alias}/customers` finds a phone number',
    'pt-BR':
      '`GET /{alias}/customers` encontra um telefone com e sem o sinal de mais, seja como for que foi enviado ao ser gravado.',
    es: '`GET /{alias}/customers` encuentra un teléfono con y sin el signo más, sea como sea que se envió al guardarse.',
  },
  {
    begins: '`GET /operator/stores`, `GET /operator/users`, `GET /operator/apps` and their pages',
    'pt-BR':
      '`GET /operator/stores`, `GET /operator/users`, `GET /operator/apps` e as suas páginas buscam nomes sem diferenciar acentos nem maiúsculas de qualquer letra, como as listas de uma loja.',
    es: '`GET /operator/stores`, `GET /operator/users`, `GET /operator/apps` y sus páginas buscan nombres sin distinguir acentos ni mayúsculas de ninguna letra, como las listas de una tienda.',
  },
  {
    begins: '`from` and `to` of `GET /{alias}/audit` read an offset',
    'pt-BR':
      '`from` e `to` de `GET /{alias}/audit` leem um deslocamento como `+03`, e um com um fuso entre colchetes, também quando o sinal de mais não foi codificado.',
    es: '`from` y `to` de `GET /{alias}/audit` leen un desfase como `+03`, y uno con una zona entre corchetes, también cuando el signo más no se codificó.',
  },
  {
    begins: 'The clients skip holes of a list',
    'pt-BR':
      "Os clientes pulam as lacunas de uma lista, como em `status: ['paid', undefined]`, e recusam uma lista só de lacunas, já que um filtro sem valor deixa passar todos os registros. Eles também enviam enums, conjuntos e as listas com lacunas do PHP, e recusam `NaN` e datas inválidas, das quais o JSON fazia `null`.",
    es: "Los clientes omiten los huecos de una lista, como en `status: ['paid', undefined]`, y rechazan una lista que solo tiene huecos, porque un filtro sin valor deja pasar todos los registros. También envían enums, conjuntos y las listas con huecos de PHP, y rechazan `NaN` y fechas inválidas, de las que JSON hacía `null`.",
  },
  {
    begins: "PHP's `[]` counts as an empty object",
    'pt-BR':
      'O `[]` do PHP vale como um objeto vazio onde quer que um corpo tenha um objeto. Uma lista com lacunas, que o PHP escreve como objeto, é recusada com o modo de corrigi-la.',
    es: 'El `[]` de PHP vale como un objeto vacío donde un cuerpo tenga un objeto. Una lista con huecos, que PHP escribe como objeto, se rechaza con el modo de corregirla.',
    operations: ['createCollection', 'updateCollection', 'createFlag', 'updateFlag'],
  },
  {
    begins: 'Nobody has a name of the service, or a mark that only it gives',
    'pt-BR':
      'Ninguém tem um nome do serviço, nem uma marca que só ele dá, como "verificado" ou um sinal de visto: a usuários e apps ela é recusada (422), assistentes a perdem (`POST /oauth/register`). Um app também não tem um nome que pareça o de outro app com domínio verificado; um assistente aparece com o seu host.',
    es: 'Nadie tiene un nombre del servicio, ni una marca que solo él da, como "verificado" o un signo de visto: a usuarios y apps se les rechaza (422), los asistentes la pierden (`POST /oauth/register`). Una app tampoco tiene un nombre que parezca el de otra app con dominio verificado; un asistente aparece con su host.',
  },
  {
    begins: 'The activity says of each actor what it is',
    'pt-BR':
      'A atividade diz de cada autor o que ele é, ao lado do nome, e marca o que o serviço fez. E-mails e as ferramentas para assistentes não contêm texto que não se vê, como um em tags do Unicode.',
    es: 'La actividad dice de cada autor qué es, junto a su nombre, y marca lo que hizo el servicio. Los correos y las herramientas para asistentes no contienen texto que no se ve, como uno en etiquetas de Unicode.',
    operations: ['listActivity'],
  },
  {
    begins: 'An app reads and changes nothing of a store that demands two-step sign-in',
    'pt-BR':
      'Um app não lê nem muda nada de uma loja que exige a verificação em duas etapas enquanto o membro que o conectou não a tem: 403 `second_factor_required`, como para chaves de API. A conexão permanece, e volta a funcionar quando ele a configurar. Importações e exportações que o app começou terminam.',
    es: 'Una app no lee ni cambia nada de una tienda que exige la verificación en dos pasos mientras el miembro que la conectó no la tenga: 403 `second_factor_required`, como para las claves de API. La conexión permanece y vuelve a funcionar cuando la configure. Las importaciones y exportaciones que la app empezó terminan.',
  },
  {
    begins: 'Wrong codes of two-step sign-in count for all sessions',
    'pt-BR':
      'Códigos errados da verificação em duas etapas contam para todas as sessões e navegadores conhecidos de um usuário juntos: 20 em uma hora, depois esperas, e o usuário recebe um e-mail. Quem tinha a senha e o cookie de um dispositivo lembrado recomeçava com cada sessão. Uma sessão que já mostrou um código tem os seus cinco.',
    es: 'Los códigos incorrectos de la verificación en dos pasos cuentan para todas las sesiones y navegadores conocidos de un usuario juntos: 20 en una hora, después esperas, y el usuario recibe un correo. Quien tenía la contraseña y la cookie de un dispositivo recordado empezaba de nuevo con cada sesión. Una sesión que ya mostró un código tiene sus cinco.',
  },
  {
    begins: 'An API key neither reads nor changes a store that was locked or closed',
    'pt-BR':
      'Uma chave de API não lê nem altera uma loja que foi bloqueada ou fechada, nem uma que exige do seu membro um segundo fator: na mesma hora onde isso foi feito, e um bloqueio ou fechamento em todo lugar assim que os dados da loja o sabem. Levava até 30 segundos.',
    es: 'Una clave de API no lee ni cambia una tienda que fue bloqueada o cerrada, ni una que exige a su miembro un segundo factor: al momento donde eso se hizo, y un bloqueo o cierre en todas partes en cuanto los datos de la tienda lo saben. Tardaba hasta 30 segundos.',
  },
  {
    begins: 'A request with an `Idempotency-Key` is the same',
    'pt-BR':
      'Uma requisição com `Idempotency-Key` é a mesma quando o corpo tem os membros em outra ordem, outros espaços em branco ou `1.0` em vez de `1`, e a query os parâmetros em outra ordem. Era 422 `key_reused`.',
    es: 'Una solicitud con `Idempotency-Key` es la misma cuando el cuerpo tiene los miembros en otro orden, otros espacios en blanco o `1.0` en lugar de `1`, y la query los parámetros en otro orden. Era 422 `key_reused`.',
  },
  {
    begins: 'A body may be compressed',
    'pt-BR':
      'Um corpo pode ser comprimido, com `Content-Encoding: gzip` ou `deflate`, também as linhas de `POST /{alias}/catalog/imports`. Os limites e as chaves de idempotência tratam do que ele contém. Outra codificação é 415 com `Accept-Encoding`, e um corpo que não está na sua codificação, 400.',
    es: 'Un cuerpo puede ir comprimido, con `Content-Encoding: gzip` o `deflate`, también las líneas de `POST /{alias}/catalog/imports`. Los límites y las claves de idempotencia tratan de lo que contiene. Otra codificación es 415 con `Accept-Encoding`, y un cuerpo que no está en su codificación, 400.',
  },
  {
    begins: 'The errors of an import have `sent`',
    'pt-BR':
      'Os erros de uma importação têm `sent`, o valor que não serve (`GET /{alias}/catalog/imports/{id}/errors`). A página de importações o mostra.',
    es: 'Los errores de una importación tienen `sent`, el valor que no sirve (`GET /{alias}/catalog/imports/{id}/errors`). La página de importaciones lo muestra.',
  },
  {
    begins: 'The page of imports sets stock',
    'pt-BR':
      'A página de importações muda o estoque: diz quantas linhas têm estoque diferente do atual e o que mudou desde a exportação, pergunta, e conta o que fica. Antes ela citava a coluna e a ignorava. `POST /{alias}/catalog/imports` aceita `stock=set`, e um SKU `quantity_before`.',
    es: 'La página de importaciones cambia el stock: dice cuántas filas tienen otro stock que el actual y qué cambió desde la exportación, pregunta, y cuenta lo que queda. Antes nombraba la columna y la ignoraba. `POST /{alias}/catalog/imports` acepta `stock=set`, y un SKU `quantity_before`.',
  },
  {
    begins: 'The page of imports finds products by SKU',
    'pt-BR':
      'A página de importações encontra produtos também pelo SKU: a planilha de uma loja que é enviada de novo muda os produtos ou os deixa de fora, à escolha, onde cada linha era um erro. `POST /{alias}/catalog/imports` aceita `known_skus=change` e `known_skus=skip`. O que se escolhe para produtos sem valor só vale para os novos.',
    es: 'La página de importaciones encuentra productos también por SKU: la hoja de una tienda que se sube de nuevo cambia sus productos o los omite, a elección, donde cada fila era un error. `POST /{alias}/catalog/imports` acepta `known_skus=change` y `known_skus=skip`. Lo elegido para productos sin valor solo vale para los nuevos.',
  },
  {
    begins: 'The page of an import folds equal errors',
    'pt-BR':
      'A página de uma importação junta erros iguais, cita as colunas que não foram lidas, mostra o andamento sozinha e dá as linhas com erro em um arquivo que se corrige e importa de novo.',
    es: 'La página de una importación junta errores iguales, nombra las columnas que no se leyeron, muestra el avance por sí misma y da las filas con errores en un archivo que se corrige y se importa de nuevo.',
    operations: ['createImport'],
  },
  {
    begins: 'The page of imports reads the numbers of a spreadsheet',
    'pt-BR':
      'A página de importações lê os números de uma planilha como as células de uma coluna os escrevem: `1.500` ao lado de `49,90` é 1500, onde era 1,5, e `"0,125"` de um arquivo com vírgulas é 0,125, onde era 125. Onde todas as células deixam isso em aberto, a página pergunta. `1e3` e `0x10` são recusados.',
    es: 'La página de importaciones lee los números de una hoja de cálculo como los escriben las celdas de una columna: `1.500` junto a `49,90` es 1500, donde era 1,5, y `"0,125"` de un archivo con comas es 0,125, donde era 125. Donde todas las celdas lo dejan abierto, la página pregunta. `1e3` y `0x10` se rechazan.',
    operations: ['createImport'],
  },
  {
    begins: 'The page of imports reads UTF-16',
    'pt-BR':
      'A página de importações lê UTF-16 e uma primeira linha `sep=;`, e recusa o que seria lido errado sem aviso: linhas com mais células que os títulos, códigos que a planilha transformou em números, erros de fórmulas, aspas fora do lugar. Um erro cita a linha do seu SKU.',
    es: 'La página de importaciones lee UTF-16 y una primera línea `sep=;`, y rechaza lo que se leería mal sin aviso: filas con más celdas que los títulos, códigos que la hoja de cálculo convirtió en números, errores de fórmulas, comillas fuera de lugar. Un error nombra la fila de su SKU.',
    operations: ['createImport'],
  },
  {
    begins: 'New brands of a spreadsheet are created',
    'pt-BR':
      'As marcas novas de uma planilha são criadas com o primeiro produto que as tem. Antes, uma importação recusada deixava até 500 delas.',
    es: 'Las marcas nuevas de una hoja de cálculo se crean con el primer producto que las tiene. Antes, una importación rechazada dejaba hasta 500 de ellas.',
    operations: ['createImport'],
  },
  {
    begins: 'Dates and times are read as programming languages print them',
    'pt-BR':
      'Datas e horas são lidas como as linguagens de programação as imprimem: com um `T` e sem deslocamento (hora local da loja), com um espaço e um deslocamento, com frações, com o nome de um fuso ou nomes em inglês, e como os objetos do PHP com um deslocamento. O que poderia dizer dois instantes é recusado, e a resposta diz o que enviar. `from` e `to` de `GET /{alias}/audit` aceitam o mesmo.',
    es: 'Las fechas y horas se leen como las imprimen los lenguajes de programación: con una `T` y sin desplazamiento (hora local de la tienda), con un espacio y un desplazamiento, con fracciones, con el nombre de una zona o nombres en inglés, y como los objetos de PHP con un desplazamiento. Lo que podría decir dos instantes se rechaza, y la respuesta dice qué enviar. `from` y `to` de `GET /{alias}/audit` aceptan lo mismo.',
    operations: [
      'createOrder',
      'updateOrder',
      'createOrderInvoice',
      'createBanner',
      'updateBanner',
      'createWebhookReplay',
    ],
  },
  {
    begins: 'A `Link` header of a list has at most 4 KB',
    'pt-BR':
      'O cabeçalho `Link` de uma lista tem no máximo 4 KB: além disso ele fica de fora, e o corpo traz os mesmos links. Parâmetros longos o deixavam com 28 KB, que muitos clientes recusam.',
    es: 'La cabecera `Link` de una lista tiene 4 KB como máximo: más allá se omite, y el cuerpo lleva los mismos enlaces. Los parámetros largos la hacían de 28 KB, que muchos clientes rechazan.',
  },
  {
    begins: 'The document of an assistant is read once a minute for pages',
    'pt-BR':
      'O documento de um assistente é lido uma vez por minuto para as páginas, e cada leitura conta como um registro da rede: ninguém faz o serviço ler um endereço a cada página.',
    es: 'El documento de un asistente se lee una vez por minuto para las páginas, y cada lectura cuenta como un registro de la red: nadie hace que el servicio lea una dirección con cada página.',
  },
  {
    begins: 'An assistant registers itself always',
    'pt-BR':
      'Um assistente sempre consegue se registrar (`POST /oauth/register`): dos que esperam o primeiro consentimento, ficam 50 de uma rede e 5.000 ao todo, e o mais antigo da rede, ou da que tem mais, dá lugar. Antes, uma só rede podia fechar o registro para todos.',
    es: 'Un asistente siempre puede registrarse (`POST /oauth/register`): de los que esperan su primer consentimiento se guardan 50 de una red y 5.000 en total, y el más antiguo de la red, o de la que tiene más, cede su lugar. Antes, una sola red podía cerrar el registro para todos.',
  },
  {
    begins: 'The live transactions of an order never add up to more',
    'pt-BR':
      'As transações vivas de um pedido nunca somam mais que o seu `value_total`, nem ao mesmo tempo. `POST /{alias}/orders/{id}/transactions` leva o que resta ou `amount` disso, e cancela as não pagas que deixam pouco demais para ela; se nada resta, é 409 `order_not_payable`.',
    es: 'Las transacciones vivas de un pedido nunca suman más que su `value_total`, tampoco a la vez. `POST /{alias}/orders/{id}/transactions` toma lo que queda o `amount` de ello, y anula las no pagadas que dejan demasiado poco para ella; si no queda nada, es 409 `order_not_payable`.',
  },
  {
    begins: '`POST /{alias}/checkout/transactions/{id}/capture` takes 0.01 at least',
    'pt-BR':
      '`POST /{alias}/checkout/transactions/{id}/capture` leva pelo menos 0.01, e um pedido fica pago quando as suas capturas chegam ao total. Antes, a primeira captura de qualquer parte o deixava pago.',
    es: '`POST /{alias}/checkout/transactions/{id}/capture` toma 0.01 como mínimo, y un pedido queda pagado cuando sus capturas llegan al total. Antes, la primera captura de cualquier parte lo dejaba pagado.',
  },
  {
    begins: 'A name or text of which nothing can be seen is 422',
    'pt-BR':
      'Um nome ou texto do qual não se vê nada é 422, ou `null`, quaisquer que sejam os seus caracteres invisíveis. Os que ficam ao lado de outros saem, como hifens opcionais e textos em tags do Unicode; emoji, persa e híndi mantêm o que os junta.',
    es: 'Un nombre o texto del que no se ve nada es 422, o `null`, cualesquiera que sean sus caracteres invisibles. Los que están junto a otros se van, como guiones opcionales y textos en etiquetas de Unicode; emoji, persa e hindi conservan lo que los une.',
    operations: ['createBrand', 'createCategory', 'createProduct', 'createCustomer'],
  },
  {
    begins: 'Two codes that look the same are one',
    'pt-BR':
      'Dois códigos com a mesma aparência são um só, guardados, únicos e buscados: SKUs, códigos de barras, apelidos, documentos, telefones, CEPs, endereços. Caracteres invisíveis saem, cada traço é `-`, cada espaço é um espaço, e caracteres de largura cheia são ASCII.',
    es: 'Dos códigos con el mismo aspecto son uno, guardados, únicos y buscados: SKU, códigos de barras, alias, documentos, teléfonos, códigos postales, direcciones. Los caracteres invisibles se van, cada raya es `-`, cada espacio es un espacio, y los caracteres de ancho completo son ASCII.',
    operations: ['createProductSku', 'updateSku', 'changeStocks', 'changePrices', 'createCustomer'],
  },
  {
    begins: 'Tags of blocks end a line',
    'pt-BR':
      'Tags de bloco terminam uma linha, ou são um espaço num campo de uma só linha: dois parágrafos viravam uma palavra. Num texto com tags, referências como `&eacute;` e `&nbsp;` são lidas.',
    es: 'Las etiquetas de bloque terminan una línea, o son un espacio en un campo de una sola línea: dos párrafos eran una palabra. En un texto con etiquetas se leen referencias como `&eacute;` y `&nbsp;`.',
    operations: ['createProduct', 'createCategory', 'createBrand', 'createCollection'],
  },
  {
    begins: 'Searches find what people type',
    'pt-BR':
      'As buscas encontram o que as pessoas digitam no lugar de letras e sinais que faltam nos teclados: `d\'agua` encontra "Caixa d’Água", `no 5` encontra "nº 5", `strasse` encontra "Straße". `search=cpf:529.982.247-25` encontra um cliente, assim como telefones e CEPs com a sua pontuação.',
    es: 'Las búsquedas encuentran lo que la gente escribe en lugar de letras y signos que faltan en los teclados: `d\'agua` encuentra "Caixa d’Água", `no 5` encuentra "nº 5", `strasse` encuentra "Straße". `search=cpf:529.982.247-25` encuentra un cliente, igual que teléfonos y códigos postales con su puntuación.',
    operations: ['listProducts', 'listCustomers', 'listBrands', 'listOrders'],
  },
  {
    begins: 'A `slug` that is sent and of which no letter or digit is left is 422',
    'pt-BR':
      'Um `slug` enviado do qual não sobra letra nem dígito é 422; antes, o nome dava outro. Os slugs feitos de nomes têm todas as letras latinas: "Łódź" dá `lodz`.',
    es: 'Un `slug` enviado del que no queda letra ni dígito es 422; antes, el nombre daba otro. Los slugs hechos de nombres tienen todas las letras latinas: "Łódź" da `lodz`.',
    operations: [
      'createCategory',
      'createCollection',
      'createProduct',
      'createBanner',
      'createFlag',
    ],
  },
  {
    begins: 'The languages of pages are read in any spelling',
    'pt-BR':
      'Os idiomas das páginas são lidos em qualquer grafia, como `pt_BR`, `es_MX` e `por`, e também os que um app pede por `ui_locales` de `GET /oauth/authorize`, a menos que o lojista tenha escolhido um.',
    es: 'Los idiomas de las páginas se leen en cualquier grafía, como `pt_BR`, `es_MX` y `por`, y también los que una app pide por `ui_locales` de `GET /oauth/authorize`, salvo que el comerciante haya elegido uno.',
  },
  {
    begins: 'A password is right in whatever form a keyboard writes',
    'pt-BR':
      'Uma senha está certa em qualquer forma em que um teclado escreva as suas letras e espaços; `canção` tinha várias, e uma delas estava certa. Quem entra pode escrever o domínio do endereço com as suas próprias letras, e as páginas o mostram assim.',
    es: 'Una contraseña es correcta en cualquier forma en que un teclado escriba sus letras y espacios; `canção` tenía varias, y una de ellas era correcta. Quien inicia sesión puede escribir el dominio de la dirección con sus propias letras, y las páginas lo muestran así.',
  },
  {
    begins: 'E-mail addresses may have a host in other letters',
    'pt-BR':
      'Endereços de e-mail podem ter um domínio com outras letras, que é guardado em ASCII e encontrado pelas duas grafias. `a..b@`, `.a@` e `a.@` são 422.',
    es: 'Las direcciones de correo pueden tener un dominio con otras letras, que se guarda en ASCII y se encuentra por las dos grafías. `a..b@`, `.a@` y `a.@` son 422.',
    operations: [
      'createCustomer',
      'updateCustomer',
      'createCart',
      'createComment',
      'configureEmails',
    ],
  },
  {
    begins: 'Assistants get in that ask for JSON alone',
    'pt-BR':
      'Entram os assistentes que pedem só JSON, que aceitam tudo ou que não dizem nenhum tipo: `/mcp` responde em JSON, e num fluxo só onde `Accept` não permite outra coisa. Se não permite nenhum dos dois, é um 406 `not_acceptable`. As páginas deles podem enviar qualquer cabeçalho, como `Mcp-Session-Id`.',
    es: 'Entran los asistentes que piden solo JSON, que aceptan todo o que no dicen ningún tipo: `/mcp` responde en JSON, y en un flujo solo donde `Accept` no permite otra cosa. Si no permite ninguno de los dos, es un 406 `not_acceptable`. Sus páginas pueden enviar cualquier cabecera, como `Mcp-Session-Id`.',
  },
  {
    begins: '`/mcp/` is `/mcp`',
    'pt-BR':
      '`/mcp/` é `/mcp`, também como `resource` e nos metadados. Os do servidor de autorização estão também em `/.well-known/oauth-authorization-server/mcp`.',
    es: '`/mcp/` es `/mcp`, también como `resource` y en los metadatos. Los del servidor de autorización están también en `/.well-known/oauth-authorization-server/mcp`.',
  },
  {
    begins: 'Assistants may send objects, lists, numbers and booleans',
    'pt-BR':
      'Assistentes podem enviar objetos, listas, números e booleanos como o seu JSON numa string, também todos os argumentos juntos, onde o esquema não tem string. Outro texto no lugar de um objeto ou de uma lista é um 422 que diz isso.',
    es: 'Los asistentes pueden enviar objetos, listas, números y booleanos como su JSON en una cadena, también todos los argumentos juntos, donde el esquema no tiene cadena. Otro texto en lugar de un objeto o una lista es un 422 que lo dice.',
  },
  {
    begins: 'An assistant cancels or refuses an order only after asking',
    'pt-BR':
      'Um assistente só cancela ou recusa um pedido depois de perguntar, também quando escreve o status com espaços, marcas ou como texto.',
    es: 'Un asistente solo cancela o rechaza un pedido después de preguntar, también cuando escribe el estado con espacios, marcas o como texto.',
  },
  {
    begins: 'An assistant may leave `redirect_uri` out',
    'pt-BR':
      'Um assistente pode deixar `redirect_uri` fora de `POST /oauth/token` (OAuth 2.1). Um 503 depois que um código foi trocado o deixa utilizável.',
    es: 'Un asistente puede omitir `redirect_uri` en `POST /oauth/token` (OAuth 2.1). Un 503 después de canjear un código lo deja utilizable.',
  },
  {
    begins: 'Documents of assistants may offer keys beside `none`',
    'pt-BR':
      'Documentos de assistentes podem oferecer chaves além de `none`, e registros podem ter membros `null` (`POST /oauth/register`). `client_name#pt-BR`, `#es` e `#en` são mostrados a leitores dessas línguas. Uma recusa diz o seu limite ou método.',
    es: 'Los documentos de asistentes pueden ofrecer claves además de `none`, y los registros tener miembros `null` (`POST /oauth/register`). `client_name#pt-BR`, `#es` y `#en` se muestran a lectores de esos idiomas. Un rechazo dice su límite o método.',
  },
  {
    begins: 'Ten connections of an app to a store are counted for each person',
    'pt-BR':
      'Dez conexões de um app a uma loja são contadas por pessoa. A décima primeira de um assistente é recusada, e nenhuma encerra a de outro, como fazia a do décimo primeiro membro. Apps conectados desconecta um assistente só para si, ou para todos.',
    es: 'Diez conexiones de una app con una tienda se cuentan por persona. La undécima de un asistente se rechaza, y ninguna termina la de otro, como hacía la del undécimo miembro. Apps conectadas desconecta un asistente solo para uno mismo, o para todos.',
  },
  {
    begins: 'A store that an operator renames',
    'pt-BR':
      'Uma loja que um operador renomeia (`POST /operator/stores/{id}/rename`) responde por um ano com o identificador anterior: para chaves e tokens, com todos os métodos, em `/mcp`, em `/oauth/authorize` e nas páginas da conta. Essa resposta diz o identificador atual em `X-Warning` e em `Link` com `rel="canonical"`. Antes, o antigo era 403 na hora, e outra loja podia usá-lo; agora nenhuma o recebe. Chaves de idempotência, cursores e limites são os mesmos com os dois. `merchant` de uma resposta com tokens é o identificador atual.',
    es: 'Una tienda que un operador renombra (`POST /operator/stores/{id}/rename`) responde durante un año con su alias anterior: para claves y tokens, con todos los métodos, en `/mcp`, en `/oauth/authorize` y en las páginas de la cuenta. Esa respuesta dice el alias actual en `X-Warning` y en `Link` con `rel="canonical"`. Antes, el anterior era 403 enseguida, y otra tienda podía tomarlo; ahora ninguna lo recibe. Las claves de idempotencia, los cursores y los límites son los mismos con ambos. `merchant` de una respuesta con tokens es el alias actual.',
  },
  {
    begins: 'The webhook of an app itself gets `store.renamed`',
    'pt-BR':
      'O webhook do próprio app recebe `store.renamed` com `alias` e `former_alias` quando uma loja à qual ele está conectado é renomeada. O id de uma loja, `merchant.id` de um evento e `id` em `merchants.data` de `POST /auth/me`, é para sempre.',
    es: 'El webhook de la propia app recibe `store.renamed` con `alias` y `former_alias` cuando se renombra una tienda a la que está conectada. El id de una tienda, `merchant.id` de un evento e `id` en `merchants.data` de `POST /auth/me`, es para siempre.',
  },
  {
    begins: 'The consent of a person to a call of an assistant',
    'pt-BR':
      'O consentimento de uma pessoa a uma chamada de um assistente (`/mcp`) vale para a operação e os argumentos dela: `confirm` é uma palavra da recusa que vale uma vez para essa chamada, e não mais o id ou o nome do registro. Um programa que mostra formulários sempre pergunta, não importa o que o modelo envie.',
    es: 'El consentimiento de una persona a una llamada de un asistente (`/mcp`) vale para su operación y sus argumentos: `confirm` es una palabra del rechazo que vale una vez para esa llamada, y ya no el id o el nombre del registro. Un programa que muestra formularios siempre pregunta, envíe lo que envíe el modelo.',
  },
  {
    begins: 'What assistants read as `structuredContent`',
    'pt-BR':
      'O que assistentes leem como `structuredContent` é o que leem como texto: marcas de terceiros, campos escolhidos e cortes estão nos dois, com `notes` e `next_cursor`. Argumentos desconhecidos de ferramentas são recusados: um `dry_run` ao lado de `arguments` fazia a mudança.',
    es: 'Lo que los asistentes leen como `structuredContent` es lo que leen como texto: marcas de terceros, campos elegidos y cortes están en ambos, con `notes` y `next_cursor`. Los argumentos desconocidos de herramientas se rechazan: un `dry_run` junto a `arguments` hacía el cambio.',
  },
  {
    begins: 'A filter by a status or a kind that no record can have',
    'pt-BR':
      'Um filtro por um status ou um tipo que nenhum registro pode ter, como `GET /{alias}/orders?status=unpaid`, é 400 com os que existem. Era uma lista vazia. O documento tem os valores dos status de pedidos, carrinhos e transações.',
    es: 'Un filtro por un estado o un tipo que ningún registro puede tener, como `GET /{alias}/orders?status=unpaid`, es 400 con los que existen. Era una lista vacía. El documento tiene los valores de los estados de pedidos, carritos y transacciones.',
  },
  {
    begins: 'Answers of webhook receivers, names that assistants gave themselves',
    'pt-BR':
      'Respostas de quem recebe webhooks, nomes que assistentes se deram, valores de arquivos importados e metadados de pagamentos também chegam a um assistente marcados como textos de terceiros. O documento OpenAPI diz de cada texto se gente de fora da loja o escreve (`x-written-by`).',
    es: 'Las respuestas de quien recibe webhooks, los nombres que los asistentes se dieron, los valores de archivos importados y los metadatos de pagos también llegan a un asistente marcados como textos de terceros. El documento OpenAPI dice de cada texto si lo escribe gente de fuera de la tienda (`x-written-by`).',
  },
  {
    begins: '`GET /{alias}/reports/sales` has the best customers',
    'pt-BR':
      '`GET /{alias}/reports/sales` tem os melhores clientes do período em `customers`, ao lado dos melhores produtos.',
    es: '`GET /{alias}/reports/sales` tiene los mejores clientes del período en `customers`, junto a los mejores productos.',
  },
  {
    begins: 'Lists answer `QUERY`',
    'pt-BR':
      'As listas respondem a `QUERY` (RFC 10008) como a GET, com os parâmetros num corpo JSON ou num formulário, para consultas que não cabem num endereço e para quem não pode enviar um corpo com GET. `Accept-Query` diz os formatos, e no documento OpenAPI `x-query` de uma operação. Nossos clientes enviam `QUERY` para um GET com corpo ou com um endereço de mais de 4.000 caracteres, e o registro de requisições o mostra.',
    es: 'Las listas responden a `QUERY` (RFC 10008) como a GET, con los parámetros en un cuerpo JSON o un formulario, para consultas que no caben en una dirección y para quien no puede enviar un cuerpo con GET. `Accept-Query` dice los formatos, y en el documento OpenAPI `x-query` de una operación. Nuestros clientes envían `QUERY` para un GET con cuerpo o con una dirección de más de 4.000 caracteres, y el registro de solicitudes lo muestra.',
  },
  {
    begins: 'Lists take their values in the brackets',
    'pt-BR':
      'As listas aceitam valores nos colchetes que as bibliotecas de PHP e JavaScript escrevem, como `status[0]=paid`, `include[]=items` e `search[name]=x`, e cada campo de `search` como filtro próprio, como `GET /{alias}/catalog/brands?active=true`.',
    es: 'Las listas aceptan valores en los corchetes que escriben las bibliotecas de PHP y JavaScript, como `status[0]=paid`, `include[]=items` y `search[name]=x`, y cada campo de `search` como filtro propio, como `GET /{alias}/catalog/brands?active=true`.',
  },
  {
    begins: 'In `search`, a word before a colon',
    'pt-BR':
      'Em `search`, uma palavra antes de dois-pontos que não é campo é texto, e `X-Warning` a cita: `Kit: azul` encontra o que se chama assim. Uma barra invertida torna `;`, `:` e `,` caracteres de um texto.',
    es: 'En `search`, una palabra antes de dos puntos que no es campo es texto, y `X-Warning` la nombra: `Kit: azul` encuentra lo que se llama así. Una barra invertida convierte `;`, `:` y `,` en caracteres de un texto.',
  },
  {
    begins: 'A query parameter that looks like a filter',
    'pt-BR':
      'Um parâmetro que parece um filtro que a lista não tem é 400 com os filtros que ela tem, e não é mais ignorado: um campo do registro, um filtro de outra lista, e grafias como `filter[status]` e `created_at_min`.',
    es: 'Un parámetro que parece un filtro que la lista no tiene es 400 con los filtros que tiene, y ya no se ignora: un campo del registro, un filtro de otra lista, y grafías como `filter[status]` y `created_at_min`.',
  },
  {
    begins: 'A query parameter whose percent-encoding is no UTF-8',
    'pt-BR':
      'Um parâmetro cuja codificação por cento não é UTF-8, como `name=caf%E9`, é 400 com o seu nome. Antes não encontrava nada.',
    es: 'Un parámetro cuya codificación por ciento no es UTF-8, como `name=caf%E9`, es 400 con su nombre. Antes no encontraba nada.',
  },
  {
    begins: 'E-mail addresses, phone numbers and codes are found',
    'pt-BR':
      'E-mails, telefones e códigos são encontrados mesmo que o sinal de mais não tenha sido codificado, e telefones, documentos e CEPs como são escritos.',
    es: 'Los correos, teléfonos y códigos se encuentran aunque el signo más no se haya codificado, y los teléfonos, documentos y códigos postales como se escriben.',
  },
  {
    begins: 'Beyond the event budget of the day',
    'pt-BR':
      'Além do orçamento de eventos do dia, as mudanças de um só registro continuam na hora. Só as importações e `PUT /{alias}/catalog/prices` vão em turnos de dez segundos, em que um 429 `event_budget` dura o resto do turno. 10 MB de mudanças de um só registro em dez segundos também enchem um turno.',
    es: 'Más allá del presupuesto de eventos del día, los cambios de un solo registro siguen en el acto. Solo las importaciones y `PUT /{alias}/catalog/prices` van por turnos de diez segundos, en los que un 429 `event_budget` dura el resto del turno. 10 MB de cambios de un solo registro en diez segundos también llenan un turno.',
  },
  {
    begins: 'A webhook keeps the order of its events',
    'pt-BR':
      'Um webhook mantém a ordem dos seus eventos se pedir: `ordered` em `POST /{alias}/webhooks` e `PUT /{alias}/webhooks/{id}`, e no formulário. Então há uma entrega a caminho por vez, e uma que falha segura todas as seguintes. O guia de webhooks diz o que isso custa e o que promete depois de falhas, pausas e reenvios.',
    es: 'Un webhook mantiene el orden de sus eventos si lo pide: `ordered` en `POST /{alias}/webhooks` y `PUT /{alias}/webhooks/{id}`, y en su formulario. Entonces hay una sola entrega en camino, y una que falla detiene a todas las siguientes. La guía de webhooks dice lo que cuesta y lo que promete tras fallos, pausas y reenvíos.',
  },
  {
    begins: 'A webhook that sends an event to an address that another one of yours',
    'pt-BR':
      'Um webhook que envia um evento a um endereço a que outro dos seus já o envia diz isso: `duplicate_of` em `POST /{alias}/webhooks`, em `PUT /{alias}/webhooks/{id}` e nas leituras, `X-Warning` na resposta que o cria ou altera, e as páginas dos dois.',
    es: 'Un webhook que envía un evento a una dirección a la que otro de los tuyos ya lo envía lo dice: `duplicate_of` en `POST /{alias}/webhooks`, en `PUT /{alias}/webhooks/{id}` y en las lecturas, `X-Warning` en la respuesta que lo crea o cambia, y las páginas de ambos.',
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
