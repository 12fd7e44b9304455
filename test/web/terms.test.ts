import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages, type Language } from '../../src/base/languages.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import { guideFolder } from '../../src/docs/site/doc-paths.ts';
import { docsMessages } from '../../src/docs/site/docs-messages.ts';
import { englishMails } from '../../src/mail/templates/en.ts';
import { spanishMails } from '../../src/mail/templates/es.ts';
import { portugueseMails } from '../../src/mail/templates/pt-br.ts';
import { messagesFor } from '../../src/web/texts/messages.ts';

/** The word for each thing that people read, in English, Spanish and Portuguese. */
const terms: readonly Record<Language, string>[] = [
  {
    en: 'two-step sign-in',
    es: 'verificación en dos pasos',
    'pt-BR': 'verificação em duas etapas',
  },
  {
    en: 'authenticator app',
    es: 'aplicación de autenticación',
    'pt-BR': 'aplicativo autenticador',
  },
  { en: 'recovery code', es: 'código de recuperación', 'pt-BR': 'código de recuperação' },
  { en: 'password', es: 'contraseña', 'pt-BR': 'senha' },
  { en: 'account', es: 'cuenta', 'pt-BR': 'conta' },
  { en: 'store', es: 'tienda', 'pt-BR': 'loja' },
  { en: 'alias', es: 'alias', 'pt-BR': 'identificador' },
  { en: 'owner', es: 'dueño', 'pt-BR': 'dono' },
  { en: 'manager', es: 'gestor', 'pt-BR': 'gerente' },
  { en: 'member', es: 'miembro', 'pt-BR': 'membro' },
  { en: 'invitation', es: 'invitación', 'pt-BR': 'convite' },
  { en: 'operator', es: 'operador', 'pt-BR': 'operador' },
  { en: 'partner', es: 'partner', 'pt-BR': 'parceir' },
  { en: 'app', es: 'app', 'pt-BR': 'app' },
  { en: 'publisher', es: 'responsable', 'pt-BR': 'responsável' },
  { en: 'client id', es: 'client id', 'pt-BR': 'client id' },
  { en: 'assistant', es: 'asistente', 'pt-BR': 'assistente' },
  { en: 'API key', es: 'clave de API', 'pt-BR': 'chave de API' },
  { en: 'webhook', es: 'webhook', 'pt-BR': 'webhook' },
  { en: 'delivery', es: 'entrega', 'pt-BR': 'entrega' },
  { en: 'event', es: 'evento', 'pt-BR': 'evento' },
  { en: 'signing secret', es: 'clave de firma', 'pt-BR': 'chave de assinatura' },
  { en: 'receiver', es: 'destino', 'pt-BR': 'destino' },
  { en: 'role', es: 'rol', 'pt-BR': 'papel' },
  { en: 'order', es: 'pedido', 'pt-BR': 'pedido' },
  { en: 'cart', es: 'carrito', 'pt-BR': 'carrinho' },
  { en: 'customer', es: 'cliente', 'pt-BR': 'cliente' },
  { en: 'product', es: 'producto', 'pt-BR': 'produto' },
  { en: 'stock', es: 'stock', 'pt-BR': 'estoque' },
  { en: 'payment', es: 'pago', 'pt-BR': 'pagamento' },
  { en: 'test store', es: 'tienda de prueba', 'pt-BR': 'loja de teste' },
  { en: 'time zone', es: 'zona horaria', 'pt-BR': 'fuso horário' },
  { en: 'e-mail', es: 'correo', 'pt-BR': 'e-mail' },
  { en: 'device', es: 'dispositivo', 'pt-BR': 'dispositivo' },
  { en: 'activity', es: 'actividad', 'pt-BR': 'atividade' },
  { en: 'export', es: 'exporta', 'pt-BR': 'exporta' },
  { en: 'sign in', es: 'iniciar sesión', 'pt-BR': 'entrar' },
  { en: 'sign out', es: 'cerrar sesión', 'pt-BR': 'sair' },
  { en: 'disconnect', es: 'desconectar', 'pt-BR': 'desconectar' },
  { en: 'read only', es: 'solo leer', 'pt-BR': 'só ler' },
  { en: 'link', es: 'enlace', 'pt-BR': 'link' },
  { en: 'reason', es: 'motivo', 'pt-BR': 'motivo' },
  { en: 'save', es: 'guardar', 'pt-BR': 'salvar' },
];

/** Words that other texts have for one of these things. */
const others: Record<Language, RegExp> = {
  en: /second factor|two-factor|\b2FA\b|\bMFA\b|API token|web hook/i,
  es: /segundo factor|dos factores|verificación en 2|llave de API|propietari|existencias|quien publica|id de cliente|aplicaciones conectadas|crear una aplicación|receptor|función:|\bsoci[oa]s?\b|secreto de firma|inventario|ordenador|inténtelo|\bveis\b|[áé]is\b|caduc|retirar la invitación|\bhas \w+[aio]do\b|\b(?:usted|administre|busque|conecte un|pruebe|ponga) /i,
  'pt-BR':
    /segundo fator|dois fatores|apelido|\balias\b|chave da API|proprietári|quem publica|aplicativos? conectado|criar um aplicativo|receptor|função:|segredo de assinatura|\bpartners?\b|\bsóci[oa]s?\b|^estado$|qualquer estado/i,
};

/** The paragraphs of the guides in a language, without code, paths and the addresses of links. */
const guideParagraphs = (language: Language) => {
  const folder = `src/docs/guides/${guideFolder[language]}`;
  return readdirSync(folder).flatMap((file) =>
    readFileSync(`${folder}/${file}`, 'utf8')
      .replaceAll(/^```[^]*?^```/gm, '')
      .replaceAll(/`[^`\n]*`|\]\([^)]*\)|(?<!\p{L})\/[\w{}/-]+/gu, '')
      .split('\n')
      .filter((line) => line !== ''),
  );
};

/** The texts of the pages, the mails and the frame of the documentation in each language. */
const textsOf = {
  en: [messagesFor('en'), englishMails, docsMessages.en],
  es: [messagesFor('es'), spanishMails, docsMessages.es],
  'pt-BR': [messagesFor('pt-BR'), portugueseMails, docsMessages['pt-BR']],
};

const flatten = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flatten);

describe.each(languages)('the texts in %s', (language) => {
  const texts = flatten(textsOf[language]).map((text) => text.replaceAll(/\{\w+\}/g, ''));
  const all = texts.join('\n').toLowerCase();

  it('have the word of each term', () => {
    const missing = terms.filter((term) => !all.includes(term[language].toLowerCase()));
    expect(missing).toEqual([]);
  });

  it('have no other word for the same thing', () => {
    expect(texts.filter((text) => others[language].test(text))).toEqual([]);
  });

  it('of the guides have no other word for the same thing', () => {
    const paragraphs = guideParagraphs(language);
    expect(paragraphs.length).toBeGreaterThan(300);
    expect(paragraphs.filter((text) => others[language].test(text))).toEqual([]);
  });
});

/** The descriptions and summaries in a part of the document, without names of the API. */
function* descriptionsIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== 'string') yield* descriptionsIn(value);
    else if (key === 'description' || key === 'summary') yield value;
  }
}

describe('the descriptions of the OpenAPI document', () => {
  it('have no other word for the same thing', () => {
    const found = [...descriptionsIn(getOpenApiDocument('Service', '/v2'))];
    expect(found.length).toBeGreaterThan(1_000);
    expect(found.filter((text) => others.en.test(text))).toEqual([]);
  });
});
