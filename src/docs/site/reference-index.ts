import type { OpenApiDocument, OperationObject } from '../../http/openapi/types.ts';
import { eventPath, recordPath, tagPath } from './doc-paths.ts';

/** An operation of the OpenAPI document with its method in upper case and its path. */
export interface LocatedOperation {
  method: string;
  path: string;
  operation: OperationObject;
}

/** A tag with its operations. */
export interface TagOfReference {
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
  const tags = document.tags
    .map((tag): TagOfReference => ({
      name: tag.name,
      description: tag.description ?? '',
      path: tagPath(tag.name),
      operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
    }))
    .filter((tag) => tag.operations.length > 0);
  const addresses = new Map([
    ...tags.map(({ name, path }) => [`tag:${name}`, path] as const),
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
