import {
  issueSeededCode,
  seededRedirectUri,
  seededClientId,
  seedApp,
} from '../../support/node/oauth/authorization.ts';
import { startService } from '../../support/node/runtime/service.ts';
import type { AuthorizationServer } from './server.ts';

/** This service, as it would be deployed. */
export async function thisService(): Promise<AuthorizationServer> {
  const { runtime, url, stop } = await startService();
  await seedApp(runtime);
  return {
    name: 'this service',
    tokenUrl: `${url}oauth/token`,
    client: { client_id: seededClientId },
    approve: async () => {
      const { code, verifier } = await issueSeededCode(runtime);
      return { code, redirect_uri: seededRedirectUri, code_verifier: verifier };
    },
    stop,
  };
}
