import { paths } from '../session/paths.ts';

/** The pages about one header pair. */
export const keyPaths = {
  create: `${paths.keys}/new`,
  /** Shows a new pair, once. */
  made: `${paths.keys}/made`,
  revoke: (id: string) => `${paths.keys}/${id}/revoke`,
} as const;
