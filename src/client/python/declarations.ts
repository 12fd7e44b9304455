import type { MethodModel } from '../../http/openapi/model.ts';
import type { JsonSchema, ParameterObject } from '../../http/openapi/types.ts';
import type { PackageContent } from '../build-package.ts';
import { jobGroups } from '../core/await-jobs.ts';
import {
  type Direction,
  deliveriesOf,
  describeMethod,
  namedSchemasOf,
  pascal,
  queryName,
  takesQuery,
  typesIn,
} from '../type-texts.ts';

/** A name as Python writes it: `addProducts` is `add_products`. */
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Words that no field of a class can be named. */
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from
   global if import in is lambda nonlocal not or pass raise return try while with yield`.split(
    /\s+/,
  ),
);

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string | undefined;
}

const literal = (value: unknown) => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`;
  return `Literal[${JSON.stringify(value)}]`;
};

/**
 * Writes `types.pyi`: the types of all records, of requests and events, and of the groups of
 * methods.
 */
export function writeStubs({ document, methods }: PackageContent): string {
  /** Objects without a name of their own, which get one. */
  const inner: string[] = [];
  const typeText = typesIn({
    plain: {
      string: 'str',
      number: 'float',
      integer: 'int',
      boolean: 'bool',
      null: 'None',
      json: 'JsonValue',
    },
    dates: { sent: ['datetime'], received: ['datetime'] },
    literal,
    union: (members) => members.join(' | '),
    array: (item, direction) => `${direction === 'sent' ? 'Iterable' : 'List'}[${item}]`,
    map: (value, direction) => `${direction === 'sent' ? 'Mapping' : 'Dict'}[str, ${value}]`,
    object: (schema, direction, place) => {
      inner.push(dictText(place, schema.description, fieldsOf(schema, direction, place)));
      return place;
    },
  });

  function fieldsOf(schema: JsonSchema, direction: Direction, place: string): Field[] {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties).map(([name, field]) => ({
      name,
      type: typeText(field, direction, `${place}_${name}`),
      isRequired: required.includes(name),
      description: field.description,
    }));
  }

  const schemas = namedSchemasOf(document, methods).map(({ name, schema, direction }) =>
    schema.properties && !schema.anyOf && !schema.oneOf
      ? dictText(name, schema.description, fieldsOf(schema, direction, name))
      : `${name} = ${typeText(schema, direction, `${name}Value`)}${docText(schema.description)}`,
  );
  const queries = methods.filter(takesQuery).map((method) =>
    dictText(
      queryName(method),
      `Query of \`${snake(method.group)}.${snake(method.method)}\`.`,
      method.query.map((parameter) => ({
        name: parameter.name,
        type: parameterType(parameter),
        isRequired: false,
        description: parameter.description,
      })),
    ),
  );

  /** Of several values, one may stand alone, and others may be missing. */
  function parameterType({ schema }: ParameterObject): string {
    if (!schema.items) return `${typeText(schema, 'sent')} | None`;
    const item = typeText(schema.items, 'sent');
    return `Iterable[${item} | None] | ${item} | None`;
  }

  const deliveries = deliveriesOf(document).map(({ name, summary, schema }) => ({
    name,
    text: dictText(name, summary, fieldsOf(schema, 'received', name), 'DeliveryInfo'),
  }));

  /**
   * Lines that were downloaded can be sent again, although their dictionaries have other optional
   * members.
   */
  const linesType = (sent: string | undefined) => {
    const downloads = methods.filter(({ result }) => result === 'lines');
    const received = downloads.map(({ record }) => typeText(record, 'received'));
    return [sent, ...received].map((line) => `Iterable[${line}]`).join(' | ');
  };

  function methodText(model: MethodModel): string {
    const { operation, result, record, meta, input, body } = model;
    const place = pascal(operation.operationId);
    const ids = model.ids.map(({ name, schema }) => `${snake(name)}: ${typeText(schema, 'sent')}`);
    const sent = body && typeText(body.schema, 'sent', `${place}Body`);
    const query = takesQuery(model) ? `query: ${queryName(model)} | None = ...` : undefined;
    const given = [
      'self',
      ...ids,
      ...(input === 'lines' ? [`lines: ${linesType(sent)} | bytes | str`] : []),
      ...(input === 'body' ? [`body: ${sent}${body?.isRequired ? '' : ' | None = ...'}`] : []),
      ...(input === 'query' && query ? [query] : []),
    ];
    const named = input === 'lines' && query ? [query] : [];
    const type = typeText(record, 'received', `${place}Record`);
    const define = (result_: string, options: readonly string[] = []) => {
      const all = [...named, ...options];
      const star = all.length > 0 ? ['*'] : [];
      // Ids, body and query have no names at run time.
      const positional = given.length > 1 ? [...given, '/'] : given;
      const list = [...positional, ...star, ...all, '**options: Unpack[CallOptions]'].join(', ');
      return `def ${snake(model.method)}(${list}) -> ${result_}:`;
    };
    const doc = docText(describeMethod(model)).replaceAll('\n', '\n    ');
    if (result === 'lines') return `${define(`Iterator[${type}]`)}${doc}`;
    if (result === 'list') {
      return `${define(`RemoteList[${type}, ${typeText(meta ?? {}, 'received', `${place}Meta`)}]`)}${doc}`;
    }
    const data = result === 'none' ? 'None' : type;
    return [
      `@overload\n${define(`Response[${data}]`, ['with_response: Literal[True]'])} ...`,
      `@overload\n${define(data, ['with_response: Literal[False] = ...'])}${doc}`,
    ].join('\n');
  }

  const groups = [...Map.groupBy(methods, ({ group }) => group)].map(([group, own]) => {
    const job = jobGroups.includes(group) && own.find(({ method }) => method === 'show');
    const record = job && typeText(job.record, 'received');
    const wait = record
      ? [
          `def wait(self, id: int, *, on_progress: Callable[[${record}], object] = ..., **options: Unpack[CallOptions]) -> ${record}:${docText('Waits until the job has ended: done, cancelled or failed.').replaceAll('\n', '\n    ')}`,
        ]
      : [];
    const texts = [...own.map(methodText), ...wait].map(indent);
    return `class ${pascal(group)}Methods:\n${texts.join('\n')}`;
  });
  const shop = [...new Set(methods.map(({ group }) => group))].map(
    (group) => `    ${snake(group)}: ${pascal(group)}Methods`,
  );
  const events = deliveries.map(({ name }) => name).join(' | ');
  return `${[
    head,
    ...schemas,
    ...queries,
    ...deliveries.map(({ text }) => text),
    `WebhookEvent = ${events}`,
    ...inner,
    ...groups,
    `class Groups:\n${shop.join('\n')}`,
  ].join('\n\n')}\n`;
}

/**
 * Writes an object as a dictionary. A keyword cannot be a field of a class, so such a dictionary is
 * made by a call.
 */
function dictText(
  name: string,
  description: string | undefined,
  fields: readonly Field[],
  base = 'TypedDict',
): string {
  const typed = fields.map(({ type, isRequired, ...field }) => ({
    ...field,
    type: isRequired ? type : `NotRequired[${type}]`,
  }));
  if (typed.some((field) => keywords.has(field.name) || !/^\w+$/.test(field.name))) {
    const members = typed.map((field) => `    ${JSON.stringify(field.name)}: ${field.type},`);
    return `${name} = TypedDict("${name}", {\n${members.join('\n')}\n})`;
  }
  const members = typed.map((field) => `${field.name}: ${field.type}${docText(field.description)}`);
  const body = [docText(description).trim(), ...members].filter(Boolean);
  return `class ${name}(${base}):\n${indent(body.length > 0 ? body.join('\n') : '...')}`;
}

/** Returns a text as editors show it, below a name; nothing without a text. */
const docText = (text: string | undefined) =>
  text
    ? `\n"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')}"""`
    : '';

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

const head = `# Written by the build, for type checkers and editors.
from datetime import datetime
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, TypedDict, overload
from typing_extensions import NotRequired, Unpack

from . import RemoteList, Response

JsonValue = Any

class CallOptions(TypedDict):
    """Options of every call."""
    idempotency_key: NotRequired[str]
    if_match: NotRequired[str]
    if_none_match: NotRequired[str]
    headers: NotRequired[Mapping[str, str]]
    timeout: NotRequired[float]

class Sequence(TypedDict):
    epoch: int
    number: int

class DeliveryInfo(TypedDict):
    """Values from the headers of a delivery."""
    id: str
    """Id of the event, the same in all its deliveries: skip an id that was handled already."""
    sequence: Sequence
    """The deliveries of one webhook are numbered without gaps; a new epoch starts after the service was restored."""
    attempt: int
    """1 for the first attempt."""
    changed: List[str]
    """Names of the fields of \`resource\` that an update changed, such as \`skus.price_sale\`; empty for other events."""`;
