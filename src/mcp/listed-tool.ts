import type { Tool, ToolSchema } from './tool.ts';

/** How long a description in a list may be. */
const maxLength = 240;

/** A tool as `tools/list` has it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema & { type: 'object' };
  outputSchema: ToolSchema & { type: 'object' };
  annotations: Tool['annotations'];
}

const listed = new WeakMap<Tool, ListedTool>();

/** Describes a tool in few words: its purpose, and the first sentence about each argument. */
export function listTool(tool: Tool): ListedTool {
  const known = listed.get(tool);
  if (known) return known;
  const { name, title, description, annotations } = tool;
  const made: ListedTool = {
    name,
    title,
    description: start(description.split('\n\n', 1)[0] ?? '', maxLength),
    // The schema of arguments is always an object.
    inputSchema: brief(tool.inputSchema) as ListedTool['inputSchema'],
    outputSchema: envelopeOf(tool.outputSchema),
    annotations,
  };
  listed.set(tool, made);
  return made;
}

/** Describes a tool with all that is known about it. */
export const describeTool = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  example,
}: Tool) => ({ name, title, description, inputSchema, outputSchema, annotations, example });

/** Arguments whose description is the list of what they can be. */
const wholeNames: ReadonlySet<string> = new Set([
  'fields',
  'include',
  'orderBy',
  'search',
  'searchFields',
  'date',
]);

/** Shortens the descriptions of a schema. */
function brief(schema: ToolSchema, name = ''): ToolSchema {
  const { description, properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(description !== undefined && {
      description: wholeNames.has(name) ? description : start(description, 120),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([inner, member]) => [inner, brief(member, inner)]),
      ),
    }),
    ...(items && { items: brief(items) }),
    ...(anyOf && { anyOf: anyOf.map((option) => brief(option)) }),
  };
}

/** The members of an answer without those of its record, which `fields` names. */
function envelopeOf({ properties = {} }: ToolSchema): ListedTool['outputSchema'] {
  const { data, meta } = properties;
  if (!data) return { type: 'object' };
  return {
    type: 'object',
    properties: { data: { type: data.type }, ...(meta && { meta: { type: 'object' } }) },
  };
}

/** The first sentences of a text, as far as they fit. */
function start(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length).lastIndexOf('. ');
  const [first = ''] = text.split('. ', 1);
  return end === -1 ? `${first}${first.endsWith('.') ? '' : '.'}` : text.slice(0, end + 1);
}
