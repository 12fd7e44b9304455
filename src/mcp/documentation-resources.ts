import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Principal } from '../http/access/principal.ts';
import type { DocumentationPage } from './tool.ts';

/** The settings of the store, as a resource. */
const settingsUri = 'store://settings';

const settingsScope = 'config.read';

/** Where resources come from: the API, and the documentation of the same service. */
export interface ResourceSource {
  origin: string;
  pages: readonly DocumentationPage[];
  readSettings: () => Promise<Response>;
  readPage: (path: string) => Promise<Response>;
}

/** The guides and the reference, and the settings of the store if the caller may read them. */
export function listResources({ origin, pages }: ResourceSource, principal: Principal): Resource[] {
  const settings: Resource = {
    uri: settingsUri,
    name: 'settings',
    title: 'Settings of the store',
    mimeType: 'application/json',
  };
  const documents = pages.map(({ path, title, description }) => ({
    uri: `${origin}${path}`,
    name: path.slice(path.lastIndexOf('/') + 1),
    title,
    description,
    mimeType: 'text/markdown',
  }));
  return [...(principal.hasScope(settingsScope) ? [settings] : []), ...documents];
}

/**
 * Reads a resource. Throws an error of the protocol for one that is not listed, or that the API
 * refuses.
 */
export async function readResource(
  source: ResourceSource,
  uri: string,
): Promise<ReadResourceResult> {
  const { origin, pages } = source;
  if (uri === settingsUri) {
    const response = await source.readSettings();
    const text = await response.text();
    if (response.ok) return { contents: [{ uri, mimeType: 'application/json', text }] };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Refused', JSON.parse(text));
  }
  const page = pages.find(({ path }) => `${origin}${path}` === uri);
  const response = page && (await source.readPage(page.path));
  if (!response?.ok) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: 'text/markdown', text: await response.text() }] };
}
