import { browserPaths } from '../session/paths.ts';

/** The pages about API keys. */
export const apiKeyPaths = {
  create: `${browserPaths.keys}/new`,
  /** Shows a new key once. */
  created: `${browserPaths.keys}/made`,
  revoke: (id: string) => `${browserPaths.keys}/${id}/revoke`,
} as const;

/** Asks for confirmation before an app is disconnected from a store. */
export const disconnectAppPath = (alias: string, clientId: string) =>
  `${browserPaths.connectedApps}/${alias}/${clientId}/disconnect`;

const webhookPath = (alias: string, id: number | string) =>
  `${browserPaths.webhooks}/${alias}/${id}`;

/** The pages about one webhook of a store. */
export const webhookPaths = {
  /** Its health and its delivery log. */
  details: webhookPath,
  delivery: (alias: string, id: number | string, seq: number | string) =>
    `${webhookPath(alias, id)}/deliveries/${seq}`,
  ping: (alias: string, id: number | string) => `${webhookPath(alias, id)}/ping`,
  pause: (alias: string, id: number | string) => `${webhookPath(alias, id)}/pause`,
  resume: (alias: string, id: number | string) => `${webhookPath(alias, id)}/resume`,
} as const;
