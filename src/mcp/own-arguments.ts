import type { Confirmation, ToolSchema } from './tool.ts';

/** The arguments that this server adds to those of an operation. None of them reaches the operation. */
export const ownNames = ['confirm', 'dry_run', 'fields'] as const;

/** The schemas of these arguments, for a tool whose record has `fields`. */
export function ownArguments({
  fields,
  confirmation,
  isList,
  canTry,
}: {
  fields: readonly string[];
  confirmation: Confirmation | undefined;
  isList: boolean;
  canTry: boolean;
}): Record<string, ToolSchema> {
  const said = isList
    ? 'Fields to show of each record, in full; without it the main ones. Of'
    : 'Fields to show, in full. Of';
  return {
    ...(confirmation && {
      confirm: {
        type: 'string',
        description: confirmation.when
          ? 'To cancel or refuse: what the record is called, as the error confirmation_required says.'
          : 'What the record is called: its name, else its number or id. Ask the person first.',
      },
    }),
    ...(canTry && {
      dry_run: {
        type: 'boolean',
        description: 'true checks the call and changes nothing.',
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
