import type { ToolSchema } from './tool.ts';

/** The tools that stand for all others when a list of them would drown a model. */
export const threeToolNames = {
  search: 'search_operations',
  describe: 'describe_operation',
  call: 'call_operation',
} as const;

const text = (description: string): ToolSchema => ({ type: 'string', description });

const inputOf = (properties: Record<string, ToolSchema>, required: string[]) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});

const hintsOf = (title: string, readOnlyHint: boolean) => ({
  title,
  readOnlyHint,
  destructiveHint: !readOnlyHint,
  idempotentHint: readOnlyHint,
  openWorldHint: false,
});

const summary = (properties: Record<string, ToolSchema>) => ({
  type: 'object' as const,
  properties,
});

/** Describes the three tools. `counts` are the numbers of operations by area. */
export function listThreeTools(
  counts: Readonly<Record<string, number>>,
  { isReadOnly }: { isReadOnly: boolean },
) {
  const areas = Object.entries(counts)
    .map(([area, count]) => `${area} (${count})`)
    .join(', ');
  const example =
    'For example {"name": "list_orders", "arguments": {"status": ["waiting_payment"], "limit": 5}}.';
  return [
    {
      name: threeToolNames.search,
      title: 'Search operations',
      description: `Finds the operations of the store that fit the words best, at most ten. Areas: ${areas}.`,
      inputSchema: inputOf(
        { query: text('What you want to do, in a few English words: "list unpaid orders".') },
        ['query'],
      ),
      outputSchema: summary({ operations: { type: 'array', items: { type: 'object' } } }),
      annotations: hintsOf('Search operations', true),
    },
    {
      name: threeToolNames.describe,
      title: 'Describe an operation',
      description: 'Shows the arguments of an operation, what it answers, and an example.',
      inputSchema: inputOf({ name: text('Name of an operation, such as list_orders.') }, ['name']),
      outputSchema: summary({
        name: { type: 'string' },
        title: { type: 'string' },
        description: { type: 'string' },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: { type: 'object' },
        example: { type: 'object' },
      }),
      annotations: hintsOf('Describe an operation', true),
    },
    {
      name: threeToolNames.call,
      title: 'Call an operation',
      description: `Calls an operation of the store. ${example} Describe it first: unknown arguments are errors.`,
      inputSchema: inputOf(
        {
          name: text('Name of the operation.'),
          arguments: {
            type: 'object',
            description: 'Its arguments, as describe_operation has them.',
          },
        },
        ['name'],
      ),
      annotations: hintsOf('Call an operation', isReadOnly),
    },
  ];
}
