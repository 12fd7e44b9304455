import type { DocumentTexts } from './document-texts.ts';
import { isParameter, operationsIn } from './map-document.ts';
import { componentName } from './normalize-schema.ts';
import type { JsonSchema, OpenApiDocument, OperationObject } from './types.ts';

const wordsOf = (text: string) =>
  (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  )
    .map((word) => word.replace(/(?:ies|s)$/, ''))
    .filter((word) => word !== '');

/** Words that say nothing by themselves. */
const stopWords = wordsOf(
  'a an the of in on at to for by is are was and or its it this that with as be id ids list record records value values name field text number whether only which who whose each one these contains',
);

/** Whether a description says nothing but the name of what it describes. */
export function repeatsName(name: string, description: string): boolean {
  const known = new Set([...wordsOf(name), ...stopWords]);
  return wordsOf(description).every((word) => known.has(word));
}

/**
 * The names that a description of a place must add to: of a field also that of its record, of a
 * parameter its operation.
 */
const namesIn = (place: string): string =>
  /^\w+\.| (?:query|path) /.test(place) ? place : (place.split(/[\s.]/).at(-1) ?? '');

/**
 * Lists everything in a document that has no description, or one that only repeats its name. It
 * looks at operations, tags, parameters, headers, schemas and their fields, enums, scopes, security
 * schemes and events. An entry names one place.
 */
export function findUndescribed(document: OpenApiDocument, texts: DocumentTexts): string[] {
  const missing: string[] = [];
  const check = (place: string, description: string | undefined) => {
    if (description === undefined || description.trim() === '') missing.push(place);
    else if (/^body of\b/i.test(description)) missing.push(`${place} (names an operation only)`);
    else if (repeatsName(namesIn(place), description)) missing.push(`${place} (repeats its name)`);
  };
  const { components, tags, paths, webhooks } = document;
  check('introduction', document.info.description);
  for (const { name, description } of tags) check(`tag ${name}`, description);
  for (const operation of [...operationsIn(paths), ...operationsIn(webhooks)]) {
    checkOperation(operation, check);
  }
  for (const operation of operationsIn(paths)) {
    const { 'pt-BR': portuguese, es: spanish } = texts.operations[operation.operationId] ?? {};
    check(`operation ${operation.operationId} pt-BR`, portuguese);
    check(`operation ${operation.operationId} es`, spanish);
  }
  const users = inputUsers(document);
  for (const [name, schema] of Object.entries(components.schemas)) {
    check(`schema ${name}`, schema.description);
    checkFields(users.get(name) ?? name, schema, check);
  }
  for (const { name, description } of Object.values(components.parameters)) {
    check(`parameter ${name}`, description);
  }
  for (const [name, { description }] of Object.entries(components.headers)) {
    check(`header ${name}`, description);
  }
  for (const [name, { description }] of Object.entries(components.responses)) {
    check(`response ${name}`, description);
  }
  checkSecurity(components.securitySchemes, check);
  return [...new Set(missing)];
}

type Check = (place: string, description: string | undefined) => void;

function checkOperation(operation: OperationObject, check: Check) {
  const { operationId, summary, description, parameters = [] } = operation;
  check(`operation ${operationId} summary`, summary);
  check(`operation ${operationId}`, description);
  for (const parameter of parameters) {
    if (isParameter(parameter)) {
      check(`${operationId} ${parameter.in} ${parameter.name}`, parameter.description);
      // The names of relations are fields of the record, which have their own description.
      if (!/^includes?$/.test(parameter.name)) {
        checkFields(`${operationId} ${parameter.in} ${parameter.name}`, parameter.schema, check);
      }
    }
  }
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    checkFields(`${operationId} body`, schema, check);
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue;
    check(`${operationId} ${status}`, response.description);
    for (const { schema } of Object.values(response.content ?? {})) {
      checkFields(`${operationId} reply`, schema, check);
    }
  }
}

/** Checks the fields of a schema and of the objects inside it. */
function checkFields(place: string, schema: JsonSchema, check: Check) {
  checkEnum(place, schema, check);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    check(`${place}.${name}`, field.description);
    checkFields(`${place}.${name}`, field, check);
  }
  const { items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  const nested = [items, ...anyOf, ...oneOf, ...allOf, additionalProperties];
  for (const inner of nested) {
    if (typeof inner === 'object') checkFields(place, inner, check);
  }
}

/** An enum of several values that has no name has no meaning either. */
function checkEnum(place: string, schema: JsonSchema, check: Check) {
  const { enum: values = [], 'x-enumDescriptions': meanings } = schema;
  if (values.length > 1 && !meanings) check(`enum ${place}: ${values.join(' | ')}`, undefined);
  if (!meanings) return;
  for (const value of values) {
    if (!meanings[String(value)]) check(`enum value ${place} ${String(value)}`, undefined);
  }
}

/** The places that use each named input, such as "createBrand body". */
function inputUsers(document: OpenApiDocument): Map<string, string> {
  const users = new Map<string, string[]>();
  for (const { operationId, requestBody } of operationsIn(document.paths)) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      const name = componentName(schema);
      users.set(name, [...(users.get(name) ?? []), operationId]);
    }
  }
  return new Map([...users].map(([name, ids]) => [name, `${ids.join('/')} body`]));
}

function checkSecurity(schemes: OpenApiDocument['components']['securitySchemes'], check: Check) {
  for (const [name, scheme] of Object.entries(schemes)) {
    check(`security ${name}`, scheme.description);
    for (const flow of Object.values(scheme.flows ?? {})) {
      for (const [scope, description] of Object.entries(flow.scopes)) {
        check(`scope ${scope}`, description);
      }
    }
  }
}
