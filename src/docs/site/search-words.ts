import type { Language } from '../../base/languages.ts';

/**
 * Words that readers search for and that a guide does not use, by guide, section or operation. They are the words of other services, and of
 * those who do not know ours yet.
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
    en: 'subscribe notification callback endpoint',
    'pt-BR': 'assinar notificação callback endpoint',
    es: 'suscribirse notificación callback endpoint',
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
};
