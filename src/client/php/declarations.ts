import type { MethodModel } from '../../http/openapi/model.ts';
import type { JsonSchema, ParameterObject } from '../../http/openapi/types.ts';
import type { PackageContent } from '../build-package.ts';
import { jobGroups } from '../core/await-jobs.ts';
import {
  type Direction,
  deliveriesOf,
  namedSchemasOf,
  pascal,
  takesQuery,
  typesIn,
} from '../type-texts.ts';

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : String(value);

const typeText = typesIn({
  plain: {
    string: 'string',
    number: 'float',
    integer: 'int',
    boolean: 'bool',
    null: 'null',
    json: 'mixed',
  },
  dates: { sent: [String.raw`\DateTimeInterface`], received: [String.raw`\DateTimeImmutable`] },
  literal,
  union: (members) => members.join('|'),
  array: (item, direction) => `${direction === 'sent' ? 'array' : 'list'}<${item}>`,
  map: (value) => `array<string, ${value}>`,
  object: (schema, direction) => shapeText(fieldsOf(schema, direction)),
});

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema, direction: Direction) =>
  Object.entries(properties).map(
    ([name, field]) =>
      `${/^\w+$/.test(name) ? name : literal(name)}${required.includes(name) ? '' : '?'}: ${typeText(field, direction)}`,
  );

const shapeText = (fields: readonly string[]) => `array{${fields.join(', ')}}`;

/** Of several values, one may stand alone, and others may be missing. */
function parameterText({ name, schema }: ParameterObject): string {
  const item = typeText(schema.items ?? schema, 'sent');
  return `${name}?: ${schema.items ? `array<${item}|null>|` : ''}${item}|null`;
}

const queryText = ({ query }: MethodModel) =>
  `${shapeText(query.map(parameterText))}|null $query = null`;

/** The members of a delivery that come from its headers. */
const deliveryInfo = [
  'id: string',
  'sequence: array{epoch: int, number: int}',
  'attempt: int',
  'changed: list<string>',
];

/**
 * Returns the types of all records, of requests and events: names with array shapes, as PHPStan and
 * editors read them.
 */
function aliasesOf({
  document,
  methods,
}: PackageContent): (readonly [name: string, type: string])[] {
  const deliveries = deliveriesOf(document).map(
    ({ name, schema }) =>
      [name, shapeText([...fieldsOf(schema, 'received'), ...deliveryInfo])] as const,
  );
  return [
    ...namedSchemasOf(document, methods).map(
      ({ name, schema, direction }) => [name, typeText(schema, direction)] as const,
    ),
    ...deliveries,
    ['WebhookEvent', deliveries.map(([name]) => name).join('|')],
  ];
}

/** The options of every call, by name. */
const callOptions = [
  '?string $idempotencyKey = null',
  '?string $ifMatch = null',
  '?string $ifNoneMatch = null',
  'array<string, string>|null $headers = null',
  '?float $timeout = null',
];

function methodTag(model: MethodModel): string {
  const { method, result, record, input, body, operation } = model;
  const ids = model.ids.map(({ name, schema }) => `${typeText(schema, 'sent')} $${name}`);
  const sent = typeText(body?.schema ?? {}, 'sent');
  const given = {
    query: [queryText(model)],
    body: [`${sent}${body?.isRequired ? '' : '|null'} $body${body?.isRequired ? '' : ' = null'}`],
    lines: [`iterable<${sent}>|string $lines`, ...(takesQuery(model) ? [queryText(model)] : [])],
    nothing: [],
  }[input];
  const whole = ['list', 'lines'].includes(result) ? [] : ['bool $withResponse = false'];
  const list = [...ids, ...given, ...callOptions, ...whole].join(', ');
  const type = typeText(record, 'received');
  const returned = {
    bare: type,
    data: type,
    one: type,
    none: 'null',
    list: String.raw`\OnlineStoreAdministration\RemoteList<${type}>`,
    lines: String.raw`\Generator<int, ${type}>`,
  }[result];
  return `@method ${returned} ${method}(${list}) ${operation.summary}.`;
}

const comment = (lines: readonly string[]) =>
  `/**\n${lines.map((line) => ` * ${line.replaceAll('*/', '* /')}`.trimEnd() + '\n').join('')} */\n`;

const fileText = (namespace: string, lines: readonly string[], code: string) =>
  `<?php\n\ndeclare(strict_types=1);\n\nnamespace ${namespace};\n\n${comment(lines)}${code}\n{\n}\n`;

const space = 'OnlineStoreAdministration';

/**
 * Writes `Records.php` with the types of all records, and a class for each group with its methods.
 */
export function writeTags(content: PackageContent): Record<string, string> {
  const aliases = aliasesOf(content);
  const records = aliases.map(([name, type]) => `@phpstan-type ${name} ${type}`);
  const groups = [...Map.groupBy(content.methods, ({ group }) => group)].map(([group, own]) => {
    const job = jobGroups.includes(group) && own.find(({ method }) => method === 'show');
    const type = job && typeText(job.record, 'received');
    const tags = [
      ...own.map(methodTag),
      ...(type
        ? [
            `@method ${type} wait(int $id, (callable(${type}): mixed)|null $onProgress = null) Waits until the job has ended.`,
          ]
        : []),
    ];
    const imports = aliases
      .filter(([name]) =>
        new RegExp(String.raw`(?<![\\'$\w])${name}(?![\w'])`).test(tags.join('\n')),
      )
      .map(([name]) => `@phpstan-import-type ${name} from \\${space}\\Records`);
    const lines = [`The methods of \`${group}\`. Written by the build.`, '', ...imports, ...tags];
    const code = `final class ${pascal(group)}Methods extends \\${space}\\Group`;
    return [`Groups/${pascal(group)}Methods.php`, fileText(`${space}\\Groups`, lines, code)];
  });
  const head = ['The types of all records. Written by the build.', ''];
  return {
    ...(Object.fromEntries(groups) as Record<string, string>),
    'Records.php': fileText(space, [...head, ...records], 'interface Records'),
  };
}

/** Returns the tags of the client's groups. */
export const groupTags = ({ methods }: PackageContent): string =>
  [...new Set(methods.map(({ group }) => group))]
    .map((group) => ` * @property-read Groups\\${pascal(group)}Methods $${group}`)
    .join('\n');
