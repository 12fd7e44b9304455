import type { Execute } from '../../../../src/platform/deploy/wrangler.ts';
import {
  accountId,
  answerCommand,
  apiToken,
  emptyAccount,
  type FakeAccount,
} from './fake-account.ts';

/** Where a run loses its network: at its n-th call, before the platform got it or before the answer came back. */
export interface Loss {
  call: number;
  isDone: boolean;
}

/** A Cloudflare account behind a fake wrangler, a fake API and a fake host. Records every call. */
export class FakeCloudflare {
  readonly account: FakeAccount;
  calls: string[] = [];
  loss: Loss | undefined;
  /** Zones of the account, each with the DNS records that stand there. */
  readonly zones: Record<string, { name: string; type: string; content: string }[]> = {
    'store.example': [],
  };
  /** The Worker that has a host as its custom domain. */
  readonly domains: Record<string, string> = {};
  /** Versions whose `/ready` returns 503. */
  readonly unready = new Set<string>();
  /** Appended to the output of a command that fails. */
  noise = '';

  constructor(account: FakeAccount = emptyAccount()) {
    this.account = account;
  }

  readonly execute: Execute = async (args, env) => {
    try {
      const stdout = this.#answer(args.join(' '), () => answerCommand(this.account, args, env));
      return { isOk: true, stdout, stderr: '' };
    } catch (error) {
      return { isOk: false, stdout: '', stderr: `${String(error)}\n${this.noise}` };
    }
  };

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const name = `${request.method} ${request.url}`;
    const body = await request.text();
    return this.#answer(name, () =>
      request.url.endsWith('/ready')
        ? this.#ready(request)
        : request.method === 'GET'
          ? this.#find(request)
          : this.#replicate(request, body),
    );
  };

  #answer<T>(call: string, work: () => T): T {
    this.calls.push(call);
    if (this.loss?.call !== this.calls.length) return work();
    if (!this.loss.isDone) throw new Error('getaddrinfo ENOTFOUND api.cloudflare.com');
    try {
      work();
    } catch {
      // A request that the platform refuses does not arrive either.
    }
    throw new Error('read ECONNRESET');
  }

  /** Answers the questions about a host. */
  #find(request: Request): Response {
    if (request.headers.get('Authorization') !== `Bearer ${apiToken}`) {
      return new Response('{"success":false}', { status: 403 });
    }
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get('name') ?? '';
    const path = pathname.replace('/client/v4', '');
    if (path === `/accounts/${accountId}/workers/domains`) {
      const hostname = searchParams.get('hostname') ?? '';
      const { worker } = this.account;
      const service = worker?.host === hostname ? 'store-api' : this.domains[hostname];
      return Response.json({ result: service === undefined ? [] : [{ hostname, service }] });
    }
    if (path === '/zones') {
      return Response.json({ result: name in this.zones ? [{ id: `zone-of-${name}`, name }] : [] });
    }
    const [, zone = ''] = /^\/zones\/zone-of-(.+)\/dns_records$/.exec(path) ?? [];
    const records = this.zones[zone];
    if (!records) return new Response('{"success":false}', { status: 404 });
    return Response.json({ result: records.filter((record) => record.name === name) });
  }

  #replicate(request: Request, body: string): Response {
    if (request.headers.get('Authorization') !== `Bearer ${apiToken}`) {
      return new Response('{"success":false}', { status: 403 });
    }
    const [, id] = new RegExp(`/accounts/${accountId}/d1/database/(.+)$`).exec(request.url) ?? [];
    const database = Object.values(this.account.databases).find((entry) => entry.id === id);
    if (!database) return new Response('{"success":false}', { status: 404 });
    const { read_replication: replication } = JSON.parse(body) as {
      read_replication: { mode: string };
    };
    database.replicas = replication.mode;
    return Response.json({ success: true, result: {} });
  }

  #ready(request: Request): Response {
    const { worker } = this.account;
    if (!worker || new URL(request.url).host !== worker.host) throw new Error('ENOTFOUND');
    if (request.headers.get('Authorization') !== `Bearer ${worker.secrets.READY_KEY}`) {
      return new Response('{}', { status: 401 });
    }
    const header = request.headers.get('Cloudflare-Workers-Version-Overrides') ?? '';
    const wanted = /="(.+)"$/.exec(header)?.[1] ?? '';
    const live = Object.entries(worker.traffic).find(([, share]) => share === 100)?.[0];
    const version = wanted in worker.traffic ? wanted : live;
    const isReady = version !== undefined && !this.unready.has(version);
    return Response.json(
      {
        status: isReady ? 'ok' : 'failed',
        checks: { store_0: isReady ? 'ok' : 'failed' },
        version,
      },
      { status: isReady ? 200 : 503 },
    );
  }
}
