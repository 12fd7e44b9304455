import type { Language } from '../../base/languages.ts';

/**
 * Words that readers search for and that a guide does not use, by guide, section or operation. They
 * are the words of other services, and of those who do not know ours yet. The search of the
 * documentation and that of the tools for assistants read them.
 */
export const searchWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'get-credentials': {
    en: 'authentication authorization login credentials token bearer access',
    'pt-BR': 'autenticação login credenciais token acesso',
    es: 'autenticación inicio de sesión credenciales token acceso',
  },
  'get-credentials#scopes': {
    en: 'permissions rights',
    'pt-BR': 'permissões direitos',
    es: 'permisos derechos',
  },
  'first-call#create': {
    en: 'quickstart getting started hello world tutorial example',
    'pt-BR': 'início rápido começar tutorial exemplo',
    es: 'inicio rápido empezar tutorial ejemplo',
  },
  'first-call#client': {
    en: 'SDK library npm package TypeScript JavaScript node CLI terminal local webhook tunnel localhost ngrok',
    'pt-BR':
      'SDK biblioteca npm pacote TypeScript JavaScript node CLI linha de comando terminal webhook local túnel localhost ngrok',
    es: 'SDK biblioteca npm paquete TypeScript JavaScript node CLI línea de comandos terminal webhook local túnel localhost ngrok',
  },
  'first-call#postman': {
    en: 'collection Insomnia import requests GUI',
    'pt-BR': 'coleção Insomnia importar requisições',
    es: 'colección Insomnia importar peticiones',
  },
  'oauth#authorize': {
    en: 'redirect uri install app consent',
    'pt-BR': 'redirect uri instalar aplicativo consentimento',
    es: 'redirect uri instalar aplicación consentimiento',
  },
  'oauth#refresh': {
    en: 'refresh token renew expired',
    'pt-BR': 'refresh token renovar expirado',
    es: 'refresh token renovar expirado',
  },
  'oauth#revoke': {
    en: 'uninstall revoke logout remove app',
    'pt-BR': 'desinstalar revogar remover aplicativo',
    es: 'desinstalar revocar quitar aplicación',
  },
  'test-stores': {
    en: 'sandbox staging development test mode test environment',
    'pt-BR': 'sandbox homologação desenvolvimento ambiente de testes modo de teste',
    es: 'sandbox desarrollo entorno de pruebas modo de prueba',
  },
  'test-stores#simulate': {
    en: 'boleto pix credit card test card payment paid refused',
    'pt-BR': 'boleto pix cartão de crédito cartão de teste pagamento pago recusado',
    es: 'boleto pix tarjeta de crédito tarjeta de prueba pago pagado rechazado',
  },
  cancelTransaction: {
    en: 'refund a payment money back void',
    'pt-BR': 'estornar estorno de um pagamento reembolso devolver dinheiro',
    es: 'reembolsar reembolso de un pago devolver dinero',
  },
  'webhooks#create': {
    en: 'subscribe notification callback endpoint new orders notice alert push',
    'pt-BR': 'assinar notificação callback endpoint avisos de pedidos novos',
    es: 'suscribirse notificación callback endpoint avisos de pedidos nuevos',
  },
  'webhooks#verify': {
    en: 'signature hmac sha256 signed check authenticity',
    'pt-BR': 'assinatura do webhook hmac sha256 verificar autenticidade',
    es: 'firma del webhook hmac sha256 verificar autenticidad',
  },
  'webhooks#retries': {
    en: 'retry policy backoff attempts failed deliveries timeout',
    'pt-BR': 'novas tentativas entregas com falha tempo limite',
    es: 'reintentos entregas fallidas tiempo límite',
  },
  'webhooks#rotation': {
    en: 'rotate secret replace key',
    'pt-BR': 'trocar segredo rotação chave',
    es: 'cambiar secreto rotación clave',
  },
  'webhooks#feed': {
    en: 'missed events lost events poll polling catch up',
    'pt-BR': 'eventos perdidos recuperar consultar',
    es: 'eventos perdidos recuperar consultar',
  },
  lists: {
    en: 'pagination paging filter sort order by search',
    'pt-BR': 'paginação filtrar ordenar buscar',
    es: 'paginación filtrar ordenar buscar',
  },
  'lists#walk': {
    en: 'page through all records orders products iterate loop next page',
    'pt-BR': 'percorrer todas as páginas todos os pedidos produtos próxima página',
    es: 'recorrer todas las páginas todos los pedidos productos página siguiente',
  },
  'bulk#stocks': {
    en: 'update many products stock inventory batch mass prices at once',
    'pt-BR': 'atualizar muitos produtos estoque em massa lote preços',
    es: 'actualizar muchos productos existencias en masa lote precios',
  },
  'bulk#import': {
    en: 'upload csv file spreadsheet catalogue migrate products',
    'pt-BR': 'enviar csv arquivo planilha catálogo importar produtos',
    es: 'subir csv archivo hoja de cálculo catálogo importar productos',
  },
  'idempotency#key': {
    en: 'idempotency key duplicate request twice retry',
    'pt-BR': 'chave de idempotência requisição duplicada duas vezes',
    es: 'clave de idempotencia petición duplicada dos veces',
  },
  'idempotency#etag': {
    en: 'optimistic locking concurrency lost update version If-Match',
    'pt-BR': 'bloqueio otimista concorrência atualização perdida versão If-Match',
    es: 'bloqueo optimista concurrencia actualización perdida versión If-Match',
  },
  'idempotency#conflicts': {
    en: '409 conflict revision',
    'pt-BR': '409 conflito revisão',
    es: '409 conflicto revisión',
  },
  'errors#codes': {
    en: 'error codes list status messages',
    'pt-BR': 'códigos de erro lista mensagens',
    es: 'códigos de error lista mensajes',
  },
  'rate-limits': {
    en: 'too many requests 429 throttling quota limit',
    'pt-BR': 'requisições demais 429 limite cota',
    es: 'demasiadas peticiones 429 límite cuota',
  },
  'values#dates': {
    en: 'date format time zone timestamp iso 8601',
    'pt-BR': 'formato de data fuso horário',
    es: 'formato de fecha zona horaria',
  },
  'values#money': {
    en: 'currency decimals price cents BRL reais',
    'pt-BR': 'moeda decimais preço centavos reais',
    es: 'moneda decimales precio centavos reales',
  },
  'values#states': {
    en: 'order status state machine transitions',
    'pt-BR': 'status do pedido situação transições',
    es: 'estado del pedido transiciones',
  },
  'privacy#delete': {
    en: 'gdpr lgpd erase forget customer personal data',
    'pt-BR': 'lgpd apagar esquecer cliente dados pessoais',
    es: 'rgpd borrar olvidar cliente datos personales',
  },
  listOrders: {
    en: 'unpaid paid pending waiting for payment open today yesterday last week this month late how many orders purchases of a customer buyer bought sold export',
    'pt-BR':
      'não pagos pagos pendentes abertos hoje ontem semana passada quantos pedidos quem comprou compras de um cliente vendas',
    es: 'sin pagar pagados pendientes abiertos quién compró hoy ayer semana pasada cuántos pedidos compras de un cliente ventas',
  },
  findOrders: {
    en: 'search purchase parcel tracking code where is buyer bought delivery',
    'pt-BR': 'procurar compra comprou encomenda envio rastreio código onde está comprador entrega',
    es: 'buscar compra compró paquete envío seguimiento código dónde está comprador entrega',
  },
  updateOrder: {
    en: 'ship shipped mark as sent carrier tracking code deliver cancel an order parcel shipping tracking number',
    'pt-BR':
      'enviar enviado despachar transportadora rastreio entregar cancelar um pedido código de rastreio frete',
    es: 'enviar enviado despachar transportista seguimiento entregar cancelar un pedido código de seguimiento',
  },
  showOrder: {
    en: 'status of an order details parcel where is',
    'pt-BR': 'situação do pedido detalhes onde está',
    es: 'estado del pedido detalles dónde está',
  },
  listOrderHistory: {
    en: 'log changes timeline',
    'pt-BR': 'linha do tempo mudanças',
    es: 'línea de tiempo cambios',
  },
  showSalesSummary: {
    en: 'best sellers bestseller top products revenue turnover how much did we sell sold today this month orders per day report statistics income best customers',
    'pt-BR':
      'mais vendidos campeões de venda faturamento receita quanto vendi vendemos hoje este mês relatório estatísticas melhores clientes',
    es: 'más vendidos ingresos facturación cuánto vendí vendimos hoy este mes informe estadísticas mejores clientes',
  },
  listLowStock: {
    en: 'restock reorder replenish running out of stock low few sold out order again sold out products',
    'pt-BR':
      'repor reposição acabando pouco estoque baixo esgotado sem estoque zerado quantas unidades falta comprar de novo produtos esgotados',
    es: 'reponer reposición poco stock bajo agotado sin stock cuántas unidades falta comprar otra vez productos agotados',
  },
  changeStocks: {
    en: 'inventory goods arrived receive units add quantity count restock',
    'pt-BR': 'inventário mercadoria chegou receber unidades quantidade contagem',
    es: 'inventario mercancía llegó recibir unidades cantidad recuento existencias',
  },
  updateSkuStock: {
    en: 'set the quantity of a variant inventory',
    'pt-BR': 'definir a quantidade de uma variante inventário',
    es: 'fijar la cantidad de una variante inventario existencias',
  },
  listSkuStocks: {
    en: 'how many are left inventory quantity',
    'pt-BR': 'quanto tem quantidade inventário',
    es: 'cuánto queda cantidad inventario existencias',
  },
  changePrices: {
    en: 'raise lower the price of products put on sale discount offer promotion percent cheaper dearer markdown all bulk many',
    'pt-BR':
      'aumentar baixar subir o preço desconto promoção oferta porcento reajuste todos vários',
    es: 'subir bajar el precio descuento oferta promoción por ciento rebaja todos varios',
  },
  updateSku: {
    en: 'variant variation price weight barcode',
    'pt-BR': 'variante variação preço peso código de barras',
    es: 'variante variación precio peso código de barras',
  },
  listProducts: {
    en: 'search items articles catalogue find by name of a brand of a category',
    'pt-BR': 'buscar itens artigos catálogo por nome produtos de uma marca de uma categoria',
    es: 'buscar artículos catálogo por nombre productos de una marca de una categoría',
  },
  createProduct: {
    en: 'new item article add to the catalogue sell',
    'pt-BR': 'novo item artigo cadastrar no catálogo',
    es: 'nuevo artículo añadir al catálogo',
  },
  updateProduct: {
    en: 'hide show publish unpublish photo picture image description item article',
    'pt-BR': 'esconder ocultar mostrar publicar foto imagem descrição',
    es: 'ocultar esconder mostrar publicar foto imagen descripción',
  },
  createWebhook: {
    en: 'notify tell my system when an order is paid subscribe events',
    'pt-BR': 'avisar notificar meu sistema quando um pedido for pago assinar eventos',
    es: 'avisar notificar a mi sistema cuando se paga un pedido suscribir eventos',
  },
  createImport: {
    en: 'spreadsheet csv upload many products bulk',
    'pt-BR': 'planilha csv enviar muitos produtos',
    es: 'hoja de cálculo csv subir muchos productos',
  },
  createExport: {
    en: 'spreadsheet csv backup download all products',
    'pt-BR': 'planilha csv cópia baixar todos',
    es: 'hoja de cálculo csv copia descargar todos',
  },
  listCustomers: {
    en: 'clients buyers find by e-mail phone name city state who lives in',
    'pt-BR': 'compradores clientes achar por e-mail telefone nome cidade estado moram em',
    es: 'compradores clientes buscar por correo teléfono nombre ciudad estado viven en',
  },
  exportCustomer: {
    en: 'privacy gdpr lgpd personal data copy',
    'pt-BR': 'privacidade lgpd dados pessoais cópia',
    es: 'privacidad rgpd datos personales copia',
  },
  deleteCustomer: {
    en: 'privacy gdpr lgpd forget erase personal data',
    'pt-BR': 'privacidade lgpd esquecer apagar dados pessoais',
    es: 'privacidad rgpd olvidar borrar datos personales',
  },
  listCarts: {
    en: 'abandoned baskets left open abandoned carts',
    'pt-BR': 'abandonados cestas deixados carrinhos abandonados',
    es: 'abandonados cestas dejados carritos abandonados',
  },
  remindOfCart: {
    en: 'abandoned basket recover e-mail',
    'pt-BR': 'abandonado recuperar e-mail',
    es: 'abandonado recuperar correo',
  },
  orderCart: {
    en: 'check out checkout basket',
    'pt-BR': 'finalizar compra cesta',
    es: 'finalizar compra cesta',
  },
  createOrderTransaction: {
    en: 'payment charge pay',
    'pt-BR': 'pagamento cobrar',
    es: 'pago cobrar',
  },
  captureTransaction: {
    en: 'charge card authorized payment',
    'pt-BR': 'cobrar cartão pagamento autorizado',
    es: 'cobrar tarjeta pago autorizado',
  },
  listTransactions: {
    en: 'payments refused failed paid boleto pix card',
    'pt-BR': 'pagamentos recusados boleto pix cartão',
    es: 'pagos rechazados boleto pix tarjeta',
  },
  createOrderInvoice: {
    en: 'bill tax nfe receipt',
    'pt-BR': 'nota nfe recibo emitir',
    es: 'factura recibo emitir',
  },
  listComments: {
    en: 'reviews ratings opinions questions',
    'pt-BR': 'avaliações opiniões perguntas',
    es: 'reseñas opiniones preguntas',
  },
  updateComment: {
    en: 'review approve hide moderate take off',
    'pt-BR': 'avaliação aprovar esconder moderar',
    es: 'reseña aprobar ocultar moderar',
  },
  deleteComment: {
    en: 'review remove',
    'pt-BR': 'avaliação remover apagar',
    es: 'reseña quitar borrar',
  },
  explainWebhookFailures: {
    en: 'why error broken integration not arriving',
    'pt-BR': 'por que erro quebrado integração não chega falhando',
    es: 'por qué error roto integración no llega fallando',
  },
  showWebhookStats: {
    en: 'health success rate latency fails',
    'pt-BR': 'saúde taxa de sucesso falhas',
    es: 'salud tasa de éxito fallos',
  },
  listActivity: {
    en: 'audit log history who changed what did colleagues team members assistants',
    'pt-BR': 'auditoria registro histórico quem mudou',
    es: 'auditoría registro historial quién cambió',
  },
  showSettings: {
    en: 'shop store currency time zone options',
    'pt-BR': 'loja moeda fuso opções',
    es: 'tienda moneda zona horaria opciones',
  },
  listPayments: {
    en: 'methods pix boleto credit card accepted',
    'pt-BR': 'métodos pix boleto cartão aceitos',
    es: 'métodos pix boleto tarjeta aceptados',
  },
  listOrderInvoices: {
    en: 'bills tax nfe',
    'pt-BR': 'notas nfe',
    es: 'facturas',
  },
  createBundle: {
    en: 'set pack combo',
    'pt-BR': 'conjunto pacote combo',
    es: 'conjunto paquete combo',
  },
  createFlag: {
    en: 'badge label tag',
    'pt-BR': 'etiqueta',
    es: 'etiqueta insignia',
  },
  createBanner: {
    en: 'picture home page slider advertising',
    'pt-BR': 'imagem página inicial carrossel propaganda',
    es: 'imagen página de inicio carrusel publicidad',
  },
  assistants: {
    en: 'mcp model context protocol ai agent claude chatgpt cursor tools',
    'pt-BR': 'mcp ia inteligência artificial agente claude chatgpt cursor ferramentas',
    es: 'mcp ia inteligencia artificial agente claude chatgpt cursor herramientas',
  },
  'moving-here': {
    en: 'migrate migration from another platform switch',
    'pt-BR': 'migrar migração de outra plataforma',
    es: 'migrar migración desde otra plataforma',
  },
  'errors#statuses': {
    en: 'HTTP status 400 401 403 404 409 412 422 500 unauthorized forbidden',
    'pt-BR': 'erro HTTP 400 401 403 404 409 412 422 500 não autorizado proibido',
    es: 'error HTTP 400 401 403 404 409 412 422 500 no autorizado prohibido',
  },
  createOrder: {
    en: 'shipping cost freight delivery fee',
    'pt-BR': 'frete custo de envio valor da entrega',
    es: 'costo de envío flete gastos de envío',
  },
  'webhooks#duplicates': {
    en: 'received the same event twice again repeated double',
    'pt-BR': 'recebi o mesmo evento duas vezes repetido',
    es: 'recibí el mismo evento dos veces repetido',
  },
  'webhooks#order': {
    en: 'are events in order sequence sorted',
    'pt-BR': 'eventos em ordem sequência',
    es: 'eventos en orden secuencia',
  },
  'webhooks#trouble': {
    en: 'not arriving stopped working no deliveries',
    'pt-BR': 'parou de funcionar não chega',
    es: 'dejó de funcionar no llega',
  },
  removeSecondFactor: {
    en: 'lost phone two factor 2FA authenticator locked out',
    'pt-BR': 'perdeu o celular dois fatores 2FA autenticador',
    es: 'perdió el teléfono dos factores 2FA autenticador',
  },
  'privacy#retention': {
    en: 'how long is data kept stored deleted after days',
    'pt-BR': 'por quanto tempo os dados ficam guardados',
    es: 'cuánto tiempo se guardan los datos',
  },
  'lists#sync': {
    en: 'only what changed since yesterday last run incremental updated orders products',
    'pt-BR': 'só o que mudou desde ontem incremental atualizados',
    es: 'solo lo que cambió desde ayer incremental actualizados',
  },
  'bulk#spreadsheet': {
    en: 'import upload spreadsheet excel xlsx',
    'pt-BR': 'importar enviar planilha excel xlsx',
    es: 'importar subir hoja de cálculo excel xlsx',
  },
  sendPasswordReset: {
    en: 'reset forgot password of a user',
    'pt-BR': 'redefinir esqueceu a senha de um usuário',
    es: 'restablecer olvidó la contraseña de un usuario',
  },
  moveStore: {
    en: 'copy move to another database shard',
    'pt-BR': 'copiar mover a loja para outro banco',
    es: 'copiar mover la tienda a otra base de datos',
  },
  'webhooks#replay': {
    en: 'resend send again an event redeliver',
    'pt-BR': 'reenviar enviar de novo um evento',
    es: 'reenviar enviar otra vez un evento',
  },
  deactivateStore: {
    en: 'suspend block a store',
    'pt-BR': 'suspender bloquear uma loja',
    es: 'suspender bloquear una tienda',
  },
};

/** Words for what the first word of the id of an operation says. */
export const verbWords: Readonly<Record<string, string>> = {
  create: 'add new make register criar adicionar novo nova cadastrar crear agregar nuevo nueva',
  update: 'change edit set modify alterar editar mudar trocar cambiar editar modificar',
  change: 'update edit set modify alterar editar mudar cambiar modificar',
  delete: 'remove erase remover apagar excluir quitar borrar eliminar',
  list: 'all get read which see find search todos todas ver quais buscar cuáles',
  find: 'all get search procurar achar buscar encontrar',
  show: 'get read see view details ver mostrar detalhes detalles',
};
