import { type MethodModel, readMethods } from './model.ts';
import type { OpenApiDocument } from './types.ts';

/** Adds how the client calls it to every operation that the client has. */
export function addTypescriptSamples(document: OpenApiDocument) {
  for (const method of readMethods(document)) {
    const sample = { lang: 'TypeScript', label: 'TypeScript', source: sampleOf(method) };
    const { operation } = method;
    operation['x-codeSamples'] = [...(operation['x-codeSamples'] ?? []), sample];
  }
}

/**
 * Returns how the client calls an operation, as a program that runs. The placeholders are those of
 * the documentation.
 */
function sampleOf(model: MethodModel): string {
  const call = `shop.${model.group}.${model.method}(${argumentsOf(model).join(', ')})`;
  return `import { client } from 'online-store-administration-client';

const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
});
${statement(call, model)}
`;
}

function statement(call: string, { result }: MethodModel): string {
  if (result === 'none') return `await ${call};`;
  if (result === 'list' || result === 'lines') {
    return `for await (const record of ${call}) {\n  console.log(record);\n}`;
  }
  return `const result = await ${call};\nconsole.log(result);`;
}

function argumentsOf({ ids, input, operation }: MethodModel): string[] {
  const values = ids.map(({ example }) => literal(example ?? 1));
  const [content] = Object.values(operation.requestBody?.content ?? {});
  if (input === 'body') return [...values, literal(content?.example ?? {})];
  if (input !== 'lines') return values;
  // The example is that of one line.
  return [...values, literal([content?.example ?? {}])];
}

/** Longest literal that stands on one line. */
const lineLength = 70;

/** Writes a value as a literal, over several lines if it is long. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isArray = Array.isArray(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) =>
    isArray ? literal(member, inner) : `${keyText(key)}: ${literal(member, inner)}`,
  );
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return open + close;
  const space = isArray ? '' : ' ';
  const line = `${open}${space}${members.join(', ')}${space}${close}`;
  if (line.length <= lineLength && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}

const keyText = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

const quote = (text: string) =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;
