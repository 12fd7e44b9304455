import type { Settings } from '../base/settings.ts';

/** The address of this service without a final slash: that of the deployment, or the origin of the request. */
export const serviceOrigin = (
  settings: Pick<Settings, 'authUrl'> | undefined,
  requestUrl: string,
): string => (settings?.authUrl ?? new URL(requestUrl).origin).replace(/\/$/, '');
