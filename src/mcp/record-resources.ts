import {
  type CallToolResult,
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Arguments, Tool } from './tool.ts';

/**
 * Records of one kind: the tool that shows one of them, the name of its id, and the tool that lists
 * them.
 */
interface RecordKind {
  kind: string;
  show: Tool;
  idName: string;
  list: Tool;
}

type Call = (tool: Tool, sent: Arguments) => Promise<CallToolResult>;

/** The most values of a completion, as the protocol has it. */
const maxValues = 100;

/**
 * The kinds of records that have an id of their own and a list: `show_brand` shows one of the kind
 * `brand`.
 */
function recordKinds(tools: readonly Tool[]): RecordKind[] {
  const reads = new Map(
    tools.filter(({ method }) => method === 'GET').map((tool) => [tool.path, tool]),
  );
  return tools.flatMap((show) => {
    const [, parent = '', idName] = /^(\/\{alias\}[^{}]*)\/\{(\w+)\}$/.exec(show.path) ?? [];
    const list = reads.get(parent);
    if (show.method !== 'GET' || idName === undefined || !list) return [];
    return [{ kind: show.name.replace(/^show_/, ''), show, idName, list }];
  });
}

/** The addresses of records that the caller may read. */
export const listRecordTemplates = (tools: readonly Tool[]): ResourceTemplateType[] =>
  recordKinds(tools).map(({ kind, show }) => ({
    uriTemplate: `store://${kind}/{id}`,
    name: kind,
    title: show.title,
    mimeType: 'application/json',
  }));

/**
 * Reads a record by its tool, as a model sees it; `undefined` for another address. Throws an error
 * of the protocol if it is refused.
 */
export async function readRecordResource(
  tools: readonly Tool[],
  uri: string,
  call: Call,
): Promise<ReadResourceResult | undefined> {
  const [, kind, id] = /^store:\/\/(\w+)\/([\w-]+)$/.exec(uri) ?? [];
  const found = recordKinds(tools).find((one) => one.kind === kind);
  if (!found) return undefined;
  const { structuredContent, isError } = await call(found.show, { [found.idName]: id });
  if (isError)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Refused', structuredContent);
  const text = JSON.stringify(structuredContent);
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}

/**
 * Completes the id of a template, or an argument of a prompt such as `webhook_id`. Digits find the
 * newest ids that begin with them, other text searches. Other arguments have no values.
 */
export async function completeId(
  tools: readonly Tool[],
  { ref, argument: { name, value } }: CompleteRequest['params'],
  call: Call,
): Promise<CompleteResult> {
  const [, kind] =
    ref.type === 'ref/resource'
      ? (/^store:\/\/(\w+)\/\{id\}$/.exec(ref.uri) ?? [])
      : (/^(\w+)_id$/.exec(name) ?? []);
  const found = recordKinds(tools).find((one) => one.kind === kind);
  if (!found) return { completion: { values: [] } };
  const isId = /^\d*$/.test(value);
  const search = isId ? {} : { search: value.slice(0, 100) };
  const { structuredContent } = await call(found.list, {
    limit: maxValues,
    fields: ['id'],
    orderBy: 'id',
    sortedBy: 'desc',
    ...search,
  });
  const { data = [] } = (structuredContent ?? {}) as { data?: readonly { id: unknown }[] };
  const values = data.map(({ id }) => String(id)).filter((id) => !isId || id.startsWith(value));
  return { completion: { values } };
}
