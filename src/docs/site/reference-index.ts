import type { OpenApiDocument, OperationObject } from '../../http/openapi/types.ts';
import { subjectsOfTags } from '../meaning/tags.ts';
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
   * Addresses by the names that links in guides use: `op:createBrand`, `record:Order`,
   * `event:order.paid`, `tag:Brands`.
   */
  addresses: ReadonlyMap<string, string>;
}

const methods = new Set(['get', 'post', 'put', 'delete', 'patch']);

/**
 * The most operations of a page, so that it stays small (`test/process/build/docs.test.ts` has the
 * bytes).
 */
const maxOperations = 10;

/**
 * A tag with many operations has a page for each subject. The first takes what no other does, and
 * has the address of the tag.
 */
function pagesOf(tag: string, operations: LocatedOperation[]) {
  const [first = { name: tag }, ...others] = subjectsOfTags[tag] ?? [];
  const subjectOf = ({ path }: LocatedOperation) =>
    others.find(({ paths }) => paths.test(path)) ?? first;
  const bySubject = Map.groupBy(operations, subjectOf);
  return [first, ...others].flatMap((subject, index) => {
    const found = bySubject.get(subject) ?? [];
    if (found.length > maxOperations) throw new Error(`${subject.name} needs more pages`);
    const path = index === 0 ? tagPath(tag) : `${tagPath(tag)}-${index + 1}`;
    return found.length === 0 ? [] : [{ name: subject.name, path, operations: found }];
  });
}

/**
 * Returns the tags of the document in its order, each with its operations. Tags without operations
 * are omitted.
 */
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
    pagesOf(
      name,
      operations.filter(({ operation }) => operation.tags.includes(name)),
    ).map((page): TagOfReference => ({ tag: name, description, ...page })),
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
