import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Execute } from '../../../../src/deploy/wrangler.ts';
import { answerCall, type Platform, sessionToken, UnknownCall } from './account-calls.ts';
import {
  accountId,
  accountName,
  apiToken,
  copyAccount,
  emptyAccount,
  type FakeAccount,
  runSql,
  TimeTravel,
} from './fake-account.ts';
import { answerCommand, type Ask } from './fake-wrangler.ts';

const envelope = z.object({
  result: z.unknown().optional(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
});

/** What goes wrong at one call of a run: its n-th, or the first that matches. */
export interface Fault {
  call: number | RegExp;
  /** Whether the platform did what it was asked for, before the answer was lost. */
  isDone: boolean;
  /**
   * The answer of the platform, where the network is not the fault. Its 504 hides whether it did
   * something.
   */
  status?: 429 | 504;
  /** Whether the process that calls is killed, in place of an answer. */
  isKilled?: boolean;
}

const isAt = ({ call }: Fault, calls: readonly string[]) =>
  typeof call === 'number' ? calls.length === call : call.test(calls.at(-1) ?? '');

const refuseCall = (status: number) =>
  new Response('{"success":false}', { status, headers: { 'Retry-After': '0' } });

const refuseCommand = (status: number): never => {
  throw new Error(`✘ [ERROR] A request to the Cloudflare API failed. Status ${status}`);
};

/** An address for a file, which has no credentials. */
const isUpload = ({ url }: Request) => new URL(url).pathname.startsWith('/upload/');

async function keepFile({ account }: Platform, request: Request): Promise<Response> {
  const text = await request.text();
  account.files[new URL(request.url).pathname.slice('/upload/'.length)] = text;
  return new Response('', {
    headers: { ETag: `"${createHash('md5').update(text).digest('hex')}"` },
  });
}

/** A Cloudflare account behind a fake wrangler, a fake API and a fake host. Records every call. */
export class FakeCloudflare implements Platform {
  readonly account: FakeAccount;
  accounts = [{ id: accountId, name: accountName }];
  calls: string[] = [];
  /** Calls that no document of the platform has. A test fails with them. */
  readonly wrong: string[] = [];
  fault: Fault | undefined;
  /** Kills the process that calls. */
  kill = () => {};
  /** Zones of the account, each with the DNS records that stand there. */
  readonly zones: Record<string, { name: string; type: string; content: string }[]> = {
    'store.example': [],
  };
  /** The Worker that has a host as its custom domain. */
  readonly domains: Record<string, string> = {};
  /** Versions whose `/ready` returns 503. */
  readonly unready = new Set<string>();
  /** The shard that such a version names. */
  illShard = 0;
  /** The shards that one answer of `/ready` covers. */
  shardsPerAnswer = 250;
  /** Databases that do not answer: their queries get 500. */
  readonly ill = new Set<string>();
  /** The location in which the platform puts a database instead of the one that is asked for. */
  readonly elsewhere: Record<string, string> = {};
  /** Calls that the API refuses for their number, before it answers the next. */
  refusals = 0;
  /** The document of the API that the live version serves, as JSON. */
  document: string | undefined;
  /** Whether the API cuts the text of migrations in the wrong place. */
  isSplitWrongly = false;
  /** The most calls of the API that were under way at once. */
  widest = 0;
  #underWay = 0;
  /** Appended to the output of a command that fails. */
  noise = '';

  /** Runs before each call. */
  beforeCall = () => undefined as void;
  readonly timeTravel: TimeTravel;

  origin = 'https://api.cloudflare.com';
  versionId = (number: number) => `version-${number}`;

  constructor(account: FakeAccount = emptyAccount(), timeTravel = new TimeTravel()) {
    this.account = account;
    this.timeTravel = timeTravel;
  }

  /** Another account as this one is, with its domains. What goes wrong here is not copied. */
  copy(): FakeCloudflare {
    const copy = new FakeCloudflare(copyAccount(this.account), new TimeTravel(this.timeTravel));
    Object.assign(copy.domains, this.domains);
    return copy;
  }

  /** The service, once it was deployed, and the Worker that watches it. */
  get worker() {
    return this.account.workers['store-api'];
  }

  /** The shards that the version with the traffic leaves alone. */
  get restoring(): readonly string[] {
    const { traffic = {}, restoring = {} } = this.worker ?? {};
    const live = Object.entries(traffic).find(([, share]) => share === 100)?.[0];
    return restoring[live ?? ''] ?? [];
  }

  /** Ends the lock of a run that was killed, by the statement that the next one names. */
  endTurn() {
    const { id } = this.account.databases['store-api-directory'] ?? {};
    const has = "select 1 from sqlite_master where name = 'deploy_locks'";
    if (id === undefined || runSql(this.account, id, has).length === 0) return;
    runSql(this.account, id, 'update deploy_locks set until = 0');
  }

  get watch() {
    return this.account.workers['store-api-watch'];
  }

  readonly execute: Execute = async (args, env) => {
    try {
      const stdout = await this.#answer(
        args.join(' '),
        () => answerCommand(this.#ask, args, env),
        refuseCommand,
      );
      return { isOk: true, stdout, stderr: '' };
    } catch (error) {
      return { isOk: false, stdout: '', stderr: `${String(error)}\n${this.noise}` };
    }
  };

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/openapi.json')) {
      return new Response(this.document, { status: this.document === undefined ? 404 : 200 });
    }
    const name = `${request.method} ${request.url}`;
    const body = await request.clone().text();
    if (new URL(request.url).pathname === '/ready') {
      return await this.#answer(name, async () => this.#ready(request), refuseCall);
    }
    this.#underWay += 1;
    this.widest = Math.max(this.widest, this.#underWay);
    try {
      await new Promise(setImmediate);
      const call = body === '' ? name : `${name} ${body}`;
      return await this.#answer(call, () => this.#api(request), refuseCall);
    } finally {
      this.#underWay -= 1;
    }
  };

  /** Answers a call of the API, unless it is to fail. */
  async #api(request: Request): Promise<Response> {
    if (isUpload(request)) return await this.#answerCall(request);
    const token = request.url.includes('/workers/assets/upload?') ? sessionToken : apiToken;
    if (request.headers.get('Authorization') !== `Bearer ${token}`) {
      return new Response('{"success":false}', { status: 403 });
    }
    if (this.refusals > 0) {
      this.refusals -= 1;
      return new Response('{"success":false}', { status: 429, headers: { 'Retry-After': '0' } });
    }
    return await this.#answerCall(request);
  }

  async #answerCall(request: Request): Promise<Response> {
    try {
      return await (isUpload(request) ? keepFile(this, request) : answerCall(this, request));
    } catch (error) {
      if (!(error instanceof UnknownCall)) throw error;
      this.wrong.push(error.message);
      const errors = [{ code: 7003, message: error.message }];
      return Response.json({ success: false, errors, messages: [], result: null }, { status: 400 });
    }
  }

  /**
   * Calls the API as wrangler does. Its calls are a part of a command, which is lost as a whole.
   */
  readonly #ask: Ask = async (line, body, headers) => {
    const [method = '', path = ''] = line.replace('ACCOUNT', `/accounts/${accountId}`).split(' ');
    const url = path.startsWith('/') ? `${this.origin}/client/v4${path}` : path;
    const isJson = typeof body === 'object' && !(body instanceof FormData);
    const request = new Request(url, {
      method,
      headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    });
    const response = await this.#answerCall(request);
    const answer = envelope.parse(JSON.parse((await response.text()) || '{}'));
    const [error] = answer.errors;
    if (error) throw new Error(`✘ [ERROR] ${error.message} [code: ${error.code}]`);
    return answer.result;
  };

  async #answer<T>(
    call: string,
    work: () => Promise<T>,
    refuse: (status: number) => T,
  ): Promise<T> {
    this.calls.push(call);
    this.beforeCall();
    const { fault } = this;
    if (!fault || !isAt(fault, this.calls)) return await work();
    this.fault = undefined;
    if (fault.isDone) {
      // A request that the platform refuses does not arrive either.
      await work().catch(() => undefined);
    }
    if (fault.isKilled) {
      this.kill();
      await new Promise(() => undefined);
    }
    if (fault.status) return refuse(fault.status);
    throw new Error(fault.isDone ? 'read ECONNRESET' : 'getaddrinfo ENOTFOUND api.cloudflare.com');
  }

  /**
   * The version that answers: the one that a header asks for if it is deployed, else that with the
   * traffic.
   */
  #answering(header: string | null): string | undefined {
    const { traffic = {} } = this.worker ?? {};
    const [, wanted = ''] = /^store-api="(.+)"$/.exec(header ?? '') ?? [];
    if (wanted in traffic) return wanted;
    return Object.entries(traffic).find(([, share]) => share === 100)?.[0];
  }

  #ready(request: Request): Response {
    const { worker } = this;
    if (!worker || new URL(request.url).host !== worker.host) throw new Error('ENOTFOUND');
    if (request.headers.get('Authorization') !== `Bearer ${worker.secrets.READY_KEY}`) {
      return new Response('{}', { status: 401 });
    }
    const version = this.#answering(request.headers.get('Cloudflare-Workers-Version-Overrides'));
    const restoring = worker.restoring[version ?? ''] ?? [];
    const from = Number(new URL(request.url).searchParams.get('from_shard') ?? 0);
    const next = from + this.shardsPerAnswer;
    const names = Object.keys(this.account.databases);
    const shards = names.filter((name) => /-store-\d+$/.test(name)).length;
    const isAsked = this.illShard >= from && this.illShard < next;
    const isReady = version !== undefined && !(this.unready.has(version) && isAsked);
    return Response.json(
      {
        status: isReady ? 'ok' : 'failed',
        checks: {
          [`store_${isAsked ? this.illShard : from}`]: isReady ? 'ok' : 'failed',
          ...Object.fromEntries(restoring.map((shard) => [`store_${shard}`, 'restoring'])),
        },
        version,
        ...(next < shards && { next_shard: next }),
      },
      { status: isReady ? 200 : 503 },
    );
  }
}
