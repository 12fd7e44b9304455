import type { DocumentTexts } from './document-texts.ts';
import type { JsonSchemas, OperationObject, PathItem } from './types.ts';

/** An operation at the root of the service instead of the base path of the API. Its requests carry no credentials. */
interface RootOperation extends Pick<OperationObject, 'parameters' | 'requestBody' | 'responses'> {
  id: string;
  route: `${'GET' | 'POST'} /${string}`;
}

/** The operations at the root, which are not declared with `operation()`, with their components. */
export interface RootGroup {
  tag: string;
  operations: readonly RootOperation[];
  schemas: JsonSchemas;
}

/** Describes the operations of a group. */
export const rootPaths = (
  { tag, operations }: RootGroup,
  origin: string,
  texts: DocumentTexts,
): Record<string, PathItem> =>
  Object.fromEntries(
    operations.map(({ id, route, ...rest }) => {
      const [method = '', path = ''] = route.split(' ');
      const { summary = id, description = '' } = texts.operations[id]?.en ?? {};
      const operation: OperationObject = {
        operationId: id,
        tags: [tag],
        summary,
        description,
        'x-scope': '',
        servers: [{ url: origin, description: 'The service itself, without the path of the API' }],
        security: [],
        ...rest,
      };
      return [path, { [method.toLowerCase()]: operation }];
    }),
  );
