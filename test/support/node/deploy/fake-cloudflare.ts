import type { Execute } from '../../../../src/platform/deploy/wrangler.ts';
import {
  accountId,
  answerCommand,
  apiToken,
  emptyAccount,
  type FakeAccount,
  runSql,
} from './fake-account.ts';
import { resourceId } from './production-config.ts';

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
  /** Databases that do not answer: their queries get 500. */
  readonly ill = new Set<string>();
  /** The region in which the platform puts a database instead of the one that is asked for. */
  readonly elsewhere: Record<string, string> = {};
  /** Calls that the API refuses for their number, before it answers the next. */
  refusals = 0;
  /** Addresses that the token has no right to. */
  forbidden: RegExp | undefined;
  /** Whether the API cuts the text of migrations in the wrong place. */
  isSplitWrongly = false;
  /** The most calls of the API that were under way at once. */
  widest = 0;
  #underWay = 0;
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
    if (request.url.endsWith('/ready')) return this.#answer(name, () => this.#ready(request));
    this.#underWay += 1;
    this.widest = Math.max(this.widest, this.#underWay);
    try {
      await new Promise(setImmediate);
      return this.#answer(body === '' ? name : `${name} ${body}`, () => this.#api(request, body));
    } finally {
      this.#underWay -= 1;
    }
  };

  #api(request: Request, body: string): Response {
    if (request.headers.get('Authorization') !== `Bearer ${apiToken}`) {
      return new Response('{"success":false}', { status: 403 });
    }
    if (this.forbidden?.test(request.url)) {
      return new Response('{"success":false}', { status: 403 });
    }
    if (this.refusals > 0) {
      this.refusals -= 1;
      return new Response('{"success":false}', { status: 429, headers: { 'Retry-After': '0' } });
    }
    const path = new URL(request.url).pathname.replace('/client/v4', '');
    const [, id, query] =
      new RegExp(`^/accounts/${accountId}/d1/database(?:/([^/]+)(/query)?)?$`).exec(path) ?? [];
    if (id !== undefined) return this.#database(request.method, id, query !== undefined, body);
    if (path.endsWith('/d1/database')) return this.#databases(request, body);
    return this.#find(request);
  }

  /** Lists the databases, or creates one. */
  #databases(request: Request, body: string): Response {
    const { databases } = this.account;
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url);
      const size = Number(searchParams.get('per_page'));
      const first = (Number(searchParams.get('page')) - 1) * size;
      const all = Object.entries(databases).map(([name, { id: uuid }]) => ({ name, uuid }));
      const page = all.slice(first, first + size);
      return Response.json({ result: page, result_info: { total_count: all.length } });
    }
    const {
      name,
      primary_location_hint: hint,
      jurisdiction = null,
    } = JSON.parse(body) as {
      name: string;
      primary_location_hint?: string;
      jurisdiction?: string;
    };
    if (name in databases) {
      return Response.json({ errors: [{ code: 7502 }], success: false }, { status: 400 });
    }
    // The same in every run, in whatever order databases are created at once.
    const id = resourceId(Number(/\d+$/.exec(name)?.[0] ?? -1) + 2);
    databases[name] = {
      id,
      location: this.elsewhere[name] ?? hint ?? '',
      jurisdiction,
      replicas: 'disabled',
      migrated: 0,
      statements: [],
    };
    return Response.json({ result: { name, uuid: id } });
  }

  /** Describes a database, changes its replicas, or runs statements on it. */
  #database(method: string, id: string, isQuery: boolean, body: string): Response {
    const [name = '', database] =
      Object.entries(this.account.databases).find(([, entry]) => entry.id === id) ?? [];
    if (!database) return new Response('{"success":false}', { status: 404 });
    if (method === 'GET') {
      const { location, jurisdiction } = database;
      return Response.json({
        result: { name, uuid: id, running_in_region: location.toUpperCase() || null, jurisdiction },
      });
    }
    if (!isQuery) {
      const { read_replication: replication } = JSON.parse(body) as {
        read_replication: { mode: string };
      };
      database.replicas = replication.mode;
      return Response.json({ result: {} });
    }
    const refuse = (message: string, status = 400) =>
      Response.json({ success: false, errors: [{ code: 7500, message }] }, { status });
    if (this.ill.has(name)) return refuse('internal error', 500);
    const { sql } = JSON.parse(body) as { sql: string };
    if (this.isSplitWrongly && sql.includes('CREATE TRIGGER')) {
      return refuse('incomplete input: SQLITE_ERROR');
    }
    try {
      return Response.json({ result: [{ results: runSql(this.account, id, sql) }] });
    } catch (error) {
      return refuse(`${(error as Error).message}: SQLITE_ERROR`);
    }
  }

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
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get('name') ?? '';
    const path = pathname.replace('/client/v4', '');
    if (
      new RegExp(
        `^/accounts/${accountId}(?:|/workers/scripts|/storage/kv/namespaces|/queues|/r2/buckets)$`,
      ).test(path) ||
      /^\/zones\/zone-of-[^/]+(?:\/workers\/routes)?$/.test(path)
    ) {
      return Response.json({ result: {} });
    }
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
