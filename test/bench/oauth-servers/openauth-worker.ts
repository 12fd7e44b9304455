import { issuer } from '@openauthjs/openauth';
import { CloudflareStorage } from '@openauthjs/openauth/storage/cloudflare';
import { createSubjects } from '@openauthjs/openauth/subject';
import { z } from 'zod';

const subjects = createSubjects({ user: z.object({ id: z.string() }) });

/** Approves every request at once. */
export default {
  fetch(request: Request, { OAUTH_KV }: { OAUTH_KV: KVNamespace }, context: ExecutionContext) {
    const server = issuer({
      subjects,
      storage: CloudflareStorage({ namespace: OAUTH_KV as never }),
      providers: {
        automatic: {
          type: 'automatic',
          init(routes, own) {
            routes.get('/authorize', (c) => own.success(c, {}));
          },
        },
      },
      allow: () => Promise.resolve(true),
      success: (response) => response.subject('user', { id: crypto.randomUUID() }),
    });
    return server.fetch(request, { OAUTH_KV }, context);
  },
};
