import { documentTexts } from '../../docs/meaning/meanings.ts';
import { buildOpenApiDocument } from '../../http/openapi/document.ts';
import type { JsonSchema, OperationObject } from '../../http/openapi/types.ts';
import { routeGroups } from '../../routes/route-groups.ts';

/** A value that a command takes: a part of the path, a query parameter, or a field of the body. */
export interface Argument {
  /** As the API has it, such as `owner_email`. */
  name: string;
  type: 'text' | 'number' | 'boolean';
  isRequired: boolean;
  about: string;
}

/** A command, as an operation declares it. */
export interface OperatorCommand {
  /** The id of the operation in words: `create-store`. */
  name: string;
  method: string;
  /** With `{name}` for each of `ids`. */
  path: string;
  summary: string;
  description: string;
  ids: readonly Argument[];
  query: readonly Argument[];
  body: readonly Argument[];
  /** Whether it changes a record, with a reason: then `--dry-run` shows that record. */
  changesRecord: boolean;
}

/** The option of an argument: `owner_email` is `owner-email`. */
export const optionOf = ({ name }: Pick<Argument, 'name'>) => name.replaceAll('_', '-');

const basePath = '/v2';

/** Loads every operation of operators, and creates a command for each, by name. */
export async function loadCommands(): Promise<ReadonlyMap<string, OperatorCommand>> {
  const groups = await Promise.all(
    routeGroups
      .filter(({ pathPrefixes }) => pathPrefixes.every((prefix) => prefix.startsWith('/operator')))
      .map(async ({ tag, load }) => ({ tag, operations: await load() })),
  );
  const { paths, components } = buildOpenApiDocument({
    groups,
    events: [],
    origin: 'https://store-api.example',
    basePath,
    serviceName: 'Service',
    texts: documentTexts,
  });
  const commands = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      toCommand(`${basePath}${path}`, method.toUpperCase(), operation, components.schemas),
    ),
  );
  return new Map(commands.map((command) => [command.name, command]));
}

function toCommand(
  path: string,
  method: string,
  operation: OperationObject,
  schemas: Readonly<Record<string, JsonSchema>>,
): OperatorCommand {
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter ? [] : [parameter],
  );
  const argumentsIn = (place: 'path' | 'query') =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) =>
        toArgument(name, { description, ...resolve(schema, schemas) }, required),
      );
  const { properties = {}, required = [] } = bodyOf(operation, schemas);
  return {
    name: operation.operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    method,
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    ids: argumentsIn('path'),
    query: argumentsIn('query'),
    body: Object.entries(properties).map(([name, schema]) =>
      toArgument(name, { ...resolve(schema, schemas), ...schema }, required.includes(name)),
    ),
    changesRecord: path.includes('{') && required.includes('reason'),
  };
}

const resolve = (schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  (schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? '']) ?? schema;

function bodyOf(
  { requestBody }: OperationObject,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return schema === undefined ? {} : resolve(schema, schemas);
}

function toArgument(name: string, schema: JsonSchema, isRequired: boolean): Argument {
  const types = new Set([schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type));
  const choices = (schema.enum ?? []).map(String);
  const about = [
    schema.description ?? '',
    choices.length > 0 && !choices.every((choice) => schema.description?.includes(choice))
      ? `One of ${choices.join(', ')}.`
      : '',
  ];
  return {
    name,
    type: types.has('boolean')
      ? 'boolean'
      : types.has('integer') && !types.has('string')
        ? 'number'
        : 'text',
    isRequired,
    about: about.filter(Boolean).join(' '),
  };
}
