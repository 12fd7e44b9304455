import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getOpenApiDocument } from '../docs/openapi-document.ts';
import { type MethodModel, readMethods } from '../http/openapi/model.ts';
import type { InputKind, MethodRow, ResultKind } from '../http/openapi/operation-table.ts';
import type { JsonSchema, OpenApiDocument } from '../http/openapi/types.ts';
import { eventBodies, isDateText } from './type-texts.ts';

const root = resolve(import.meta.dirname, '../..');

const results: Record<ResultKind, string> = {
  bare: 'b',
  data: 'd',
  one: 'o',
  none: 'n',
  list: 'l',
  lines: 's',
};
const inputs: Record<InputKind, string> = { query: 'q', body: 'b', lines: 'l', nothing: 'n' };

/** The letters for result and argument of a method, which the packages of other languages read. */
export const lettersOf = ({ result, input }: MethodRow): string =>
  `${results[result]}${inputs[input]}`;

/** The package of another language. */
interface Package {
  /** Its name in `src/client` and in `dist`. */
  language: string;
  /** The folder of its code, in the source and in the package. */
  code: string;
  /** The file with its name, whose `{version}` becomes that of the repository. */
  project: string;
  /** Writes the files of its code that are made of the operations, by name. */
  write: (content: PackageContent) => Record<string, string>;
}

/** The parts of a package. */
export interface PackageContent {
  document: OpenApiDocument;
  methods: readonly MethodModel[];
  /** Address of the service that the client calls without another. */
  defaultUrl: string;
  version: string;
  dateFields: readonly string[];
}

/**
 * Builds a package from the operations of this repository, as `npm run build:python [-- --url
 * https://api.example.com] [--out folder]` does. Prints its folder.
 */
export function buildPackage({ language, code, project, write }: Package): void {
  const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
  const folder = values.out ?? join(root, 'dist', language);
  const source = join(root, 'src/client', language);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(source, code), join(folder, code), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
  const document = getOpenApiDocument('Store', '/v2');
  const methods = readMethods(document);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const content = {
    document,
    methods,
    version,
    defaultUrl: values.url ?? 'http://localhost:8787',
    dateFields: findDateFields(document, methods),
  };
  const files = {
    ...Object.fromEntries(
      Object.entries(write(content)).map(([name, text]) => [join(code, name), text]),
    ),
    [project]: readFileSync(join(source, project), 'utf8').replace('{version}', version),
    'README.md': readFileSync(join(source, 'package-readme.md'), 'utf8'),
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  console.log(relative('.', folder));
}

/**
 * Returns the names of all received fields that are dates as texts. The client finds them by name,
 * so a name must mean a date everywhere: throws if it is also that of another text.
 */
export function findDateFields(
  document: OpenApiDocument,
  methods: readonly MethodModel[],
): string[] {
  const dates = new Set<string>();
  const others = new Set<string>();
  const visit = (schema: JsonSchema, name: string) => {
    if ([schema.type].flat().includes('string') && !schema.enum && schema.const === undefined) {
      (isDateText(schema) ? dates : others).add(name);
    }
    for (const [key, field] of Object.entries(schema.properties ?? {})) visit(field, key);
    const { anyOf = [], oneOf = [], allOf = [] } = schema;
    for (const member of [...anyOf, ...oneOf, ...allOf]) visit(member, name);
    if (schema.items) visit(schema.items, name);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (name !== 'DateTime' && isReceived(name)) visit(schema, '');
  }
  for (const { record } of methods) visit(record, '');
  for (const body of eventBodies(document)) visit(body, '');
  for (const name of dates) {
    if (others.has(name)) throw new Error(`The text "${name}" is a date in some records only.`);
  }
  return [...dates].sort();
}

/** Whether a named schema is one of responses. Those of requests end in these words. */
const isReceived = (name: string) => !/(?:Input|Patch|Line)$/.test(name);
