import { paths } from '../../session/paths.ts';

const one = (alias: string, id: number | string) => `${paths.webhooks}/${alias}/${id}`;

/** The pages about one webhook of a store. */
export const webhookPaths = {
  /** Its health and its log. */
  one,
  delivery: (alias: string, id: number | string, seq: number | string) =>
    `${one(alias, id)}/deliveries/${seq}`,
  ping: (alias: string, id: number | string) => `${one(alias, id)}/ping`,
  pause: (alias: string, id: number | string) => `${one(alias, id)}/pause`,
  resume: (alias: string, id: number | string) => `${one(alias, id)}/resume`,
} as const;
