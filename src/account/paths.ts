import { browserPaths } from '../session/pages/paths.ts';

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
  create: (alias: string) => `${browserPaths.webhooks}/${alias}/new`,
  /** Its health and its delivery log. */
  details: webhookPath,
  delivery: (alias: string, id: number | string, seq: number | string) =>
    `${webhookPath(alias, id)}/deliveries/${seq}`,
  edit: (alias: string, id: number | string) => `${webhookPath(alias, id)}/edit`,
  rotate: (alias: string, id: number | string) => `${webhookPath(alias, id)}/rotate`,
  /** Shows a new signing secret once. */
  secret: (alias: string, id: number | string) => `${webhookPath(alias, id)}/secret`,
  delete: (alias: string, id: number | string) => `${webhookPath(alias, id)}/delete`,
  ping: (alias: string, id: number | string) => `${webhookPath(alias, id)}/ping`,
  pause: (alias: string, id: number | string) => `${webhookPath(alias, id)}/pause`,
  resume: (alias: string, id: number | string) => `${webhookPath(alias, id)}/resume`,
} as const;

const storePath = (alias: string) => `${browserPaths.stores}/${alias}`;

/** The pages about one store. */
export const storePaths = {
  details: storePath,
  edit: (alias: string) => `${storePath(alias)}/edit`,
  secondFactor: (alias: string) => `${storePath(alias)}/second-factor`,
  export: (alias: string) => `${storePath(alias)}/export`,
  close: (alias: string) => `${storePath(alias)}/close`,
  reopen: (alias: string) => `${storePath(alias)}/reopen`,
  leave: (alias: string) => `${storePath(alias)}/leave`,
  activity: (alias: string) => `${storePath(alias)}/activity`,
  /** The file of an export. */
  exportFile: (alias: string, id: number | string) => `${storePath(alias)}/exports/${id}`,
  /** The form that makes a store. */
  create: '/account/new-store',
} as const;

const membersPath = (alias: string) => `${storePath(alias)}/members`;

const memberPath = (alias: string, userId: number | string) => `${membersPath(alias)}/${userId}`;

/** The pages about the members of a store. */
export const memberPaths = {
  list: membersPath,
  invite: (alias: string) => `${membersPath(alias)}/invite`,
  invitation: (alias: string, id: number | string) => `${membersPath(alias)}/invitations/${id}`,
  details: memberPath,
  remove: (alias: string, userId: number | string) => `${memberPath(alias, userId)}/remove`,
  handOver: (alias: string, userId: number | string) => `${memberPath(alias, userId)}/hand-over`,
} as const;
