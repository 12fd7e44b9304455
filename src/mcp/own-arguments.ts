import type { Confirmation, Tool, ToolSchema } from './tool.ts';

/**
 * The arguments that this server adds to those of an operation. None of them reaches the operation.
 */
const ownNames: ReadonlySet<string> = new Set(['again', 'confirm', 'dry_run', 'fields']);

/** Bulk changes try themselves: their bodies have a `dry_run`, whose answer shows more. */
export const isOwnName = ({ canTry }: Tool, name: string): boolean =>
  ownNames.has(name) && (name !== 'dry_run' || canTry === true);

/** How many records a list names, such as `3 products_ids`; `undefined` for any other value. */
export const countOf = (name: string, value: unknown): string | undefined =>
  Array.isArray(value)
    ? `${new Set(value.map((one) => JSON.stringify(one))).size} ${name}`
    : undefined;

/** The schemas of these arguments, for a tool whose record has `fields`. */
export function ownArguments({
  fields,
  confirmation,
  isList,
  canTry,
  isRepeatable,
}: {
  fields: readonly string[];
  confirmation: Confirmation | undefined;
  isList: boolean;
  canTry: boolean;
  isRepeatable: boolean;
}): Record<string, ToolSchema> {
  const said = isList
    ? 'Fields to show of each record, in full; without it the main ones. Of'
    : 'Fields to show, in full. Of';
  return {
    ...(confirmation && {
      confirm: {
        type: 'string',
        description: `${confirmation.unless ? 'For a status that asks the person: the' : 'The'} word of the error confirmation_required, after the consent of the person.`,
      },
    }),
    ...(canTry && {
      dry_run: {
        type: 'boolean',
        description: 'true checks the call and changes nothing.',
      },
    }),
    ...(isRepeatable && {
      again: {
        type: 'integer',
        description: '2, 3 ... makes the same call once more within minutes.',
      },
    }),
    ...(fields.length > 0 && {
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: `${said}: ${fields.join(', ')}.`,
      },
    }),
  };
}
