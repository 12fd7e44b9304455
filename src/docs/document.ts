import { openApiDocument } from '../http/openapi.ts';
import type { OpenApiDocument } from '../http/openapi-types.ts';
import { sections } from '../operations.ts';
import { eventContracts } from './event-resources.ts';

let known: { serviceName: string; base: string; document: OpenApiDocument } | undefined;

/** The document of this deployment, folded once per isolate. */
export function documentOf(serviceName: string, base: string): OpenApiDocument {
  if (known?.serviceName !== serviceName || known.base !== base) {
    const document = openApiDocument({ sections, events: eventContracts, base, serviceName });
    known = { serviceName, base, document };
  }
  return known.document;
}
