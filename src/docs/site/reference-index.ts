import type { OpenApiDocument, OperationObject } from '../../http/openapi/types.ts';
import { eventPath, recordPath, tagPath } from './doc-paths.ts';

/** An operation of the OpenAPI document with its method in upper case and its path. */
export interface LocatedOperation {
  method: string;
  path: string;
  operation: OperationObject;
}

/** A tag with its operations, or a part of one with many. Each has a page. */
export interface TagOfReference {
  /** The name in the document. */
  tag: string;
  /** The title of the page. */
  name: string;
  description: string;
  path: string;
  operations: LocatedOperation[];
}

/** Addresses of the whole reference. */
export interface ReferenceIndex {
  tags: TagOfReference[];
  /**
   * Addresses by the names that links in guides use: `op:createBrand`, `record:Order`, `event:order.paid`,
   * `tag:Brands`.
   */
  addresses: ReadonlyMap<string, string>;
}

const methods = new Set(['get', 'post', 'put', 'delete', 'patch']);

/** The most operations of a page, so that it stays small (`test/process/build/docs.test.ts` has the bytes). */
const maxOperations = 9;

/** Splits a list into as few parts as the most operations allow, of about the same length. */
function splitEvenly<Item>(items: readonly Item[]): Item[][] {
  const parts = Math.ceil(items.length / maxOperations);
  const length = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_, part) =>
    items.slice(part * length, (part + 1) * length),
  );
}

/** Returns the tags of the document in its order, each with its operations. Tags without operations are omitted. */
export function indexReference(document: OpenApiDocument): ReferenceIndex {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]): LocatedOperation => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
  const tags = document.tags.flatMap(({ name, description = '' }) =>
    splitEvenly(operations.filter(({ operation }) => operation.tags.includes(name))).map(
      (part, index, { length }): TagOfReference => ({
        tag: name,
        name: length === 1 ? name : `${name} (${index + 1} of ${length})`,
        description,
        path: index === 0 ? tagPath(name) : `${tagPath(name)}-${index + 1}`,
        operations: part,
      }),
    ),
  );
  const addresses = new Map([
    // The first part of a tag has its address.
    ...tags.toReversed().map(({ tag, path }) => [`tag:${tag}`, path] as const),
    ...tags.flatMap(({ path, operations }) =>
      operations.map(
        ({ operation: { operationId } }) =>
          [`op:${operationId}`, `${path}#${operationId}`] as const,
      ),
    ),
    ...Object.keys(document.components.schemas).map(
      (name) => [`record:${name}`, recordPath(name)] as const,
    ),
    ...Object.keys(document.webhooks).map((name) => [`event:${name}`, eventPath(name)] as const),
  ]);
  return { tags, addresses };
}
