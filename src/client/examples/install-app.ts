/**
 * An app that merchants install. It gets access by OAuth, sets up a webhook and handles each event
 * once and in order. That includes those that were sent while it was down, and those whose delivery
 * never arrived.
 *
 * APP_URL=http://127.0.0.1:3000 APP_CLIENT_ID=demo-app STORE_API_URL=http://localhost:8787 node
 * install-app.ts
 *
 * Behind a proxy, APP_URL is the public address and PORT what the app listens on.
 *
 * The merchant opens APP_URL. The app keeps its data of a store in `stores/{alias}.json`; a real
 * app has a database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  ApiError,
  client,
  type EventName,
  type FeedEvent,
  type Shop,
  type Tokens,
  webhooks,
  type WebhookEvent,
} from 'online-store-administration-client';

const baseUrl = process.env['STORE_API_URL'] ?? 'http://localhost:8787';
const appUrl = process.env['APP_URL'] ?? 'http://127.0.0.1:3000';
const clientId = process.env['APP_CLIENT_ID'] ?? 'demo-app';
const folder = process.env['APP_FOLDER'] ?? 'stores';
const redirectUri = `${appUrl}/callback`;
const wantedEvents: EventName[] = ['product.created', 'product.updated', 'product.deleted'];

/** The data that the app has of a store. */
interface StoreState {
  alias: string;
  tokens: Tokens;
  /**
   * The second in which the app was installed, as ISO 8601. Earlier events are none of its
   * business.
   */
  installedAt: string;
  webhook?: { id: number; secret: string };
  /** The delivery that was handled last. Those of a webhook are numbered without gaps. */
  sequence?: { epoch: number; number: number };
  /** The event that was handled last. The ids of a store's events sort by time. */
  lastEventId?: string;
}

/**
 * Your work: called once for each event, in order. It must be over before the app answers the
 * delivery.
 */
function handleEvent(alias: string, { id, event, resource }: FeedEvent | WebhookEvent) {
  console.log(`${alias}: ${event} ${'id' in resource ? resource.id : ''} (${id})`);
}

/** A store that has installed the app. */
class InstalledStore {
  readonly state: StoreState;
  readonly shop: Shop;
  /** The end of the work so far: events are handled one after another. */
  #last: Promise<void> = Promise.resolve();

  constructor(state: StoreState) {
    this.state = state;
    const onTokens = (tokens: Tokens) => this.save({ tokens });
    this.shop = client({
      baseUrl,
      store: state.alias,
      oauth: { clientId, tokens: state.tokens, onTokens },
    });
  }

  /** Replaces the file at once, so that a stop leaves the old state or the new one. */
  save(change: Partial<StoreState>) {
    Object.assign(this.state, change);
    const path = join(folder, `${this.state.alias}.json`);
    writeFileSync(`${path}.new`, JSON.stringify(this.state), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Creates the webhook, once, and reads what happened since the app was last running. */
  async start() {
    if (!this.state.webhook) {
      const url = `${appUrl}/webhooks/${this.state.alias}`;
      const webhook = await this.shop.webhooks.create({
        name: 'Example app',
        url,
        events: wantedEvents,
      });
      this.save({ webhook: { id: webhook.id, secret: webhook.secret_key } });
    }
    await this.#inTurn(() => this.#catchUp());
  }

  /**
   * Handles a delivery: directly if it follows the last one, else by reading everything from the
   * feed.
   */
  receive(event: WebhookEvent): Promise<void> {
    return this.#inTurn(async () => {
      const { sequence, lastEventId } = this.state;
      if (lastEventId !== undefined && event.id <= lastEventId) return;
      const { epoch, number } = event.sequence;
      const follows = sequence
        ? epoch === sequence.epoch && number === sequence.number + 1
        : number === 1;
      if (follows) this.#handle(event);
      else await this.#catchUp();
      this.save({ sequence: { epoch, number } });
    });
  }

  /**
   * Reads all events after the last one that was handled, whether or not they were ever delivered.
   */
  async #catchUp() {
    const after = this.state.lastEventId;
    const missed = this.shop.events.list({
      event: wantedEvents,
      ...(after !== undefined && { after_id: after }),
    });
    for await (const event of missed) {
      if (event.time >= new Date(this.state.installedAt)) this.#handle(event);
    }
  }

  #handle(event: FeedEvent | WebhookEvent) {
    handleEvent(this.state.alias, event);
    this.save({ lastEventId: event.id });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

const stores = new Map<string, InstalledStore>();

async function addStore(state: StoreState) {
  const store = new InstalledStore(state);
  stores.set(state.alias, store);
  store.save({});
  await store.start();
}

/** Installations that were begun, by the state that the redirect brings back. */
const begun = new Map<string, string>();

/** Sends the merchant to the page that asks for consent. */
function install(response: ServerResponse) {
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  begun.set(state, verifier);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  // The cookie binds the installation to this browser.
  response.writeHead(303, {
    Location: `${baseUrl}/oauth/authorize?${query.toString()}`,
    'Set-Cookie': `state=${state}; HttpOnly; SameSite=Lax; Path=/; Max-Age=600`,
  });
  response.end();
}

/** The answer of the token endpoint to a code. */
interface Granted extends Omit<Tokens, 'expires_at'> {
  expires_in: number;
  /** Alias of the store. */
  merchant: string;
}

/** Exchanges the code that the merchant brings back. */
async function finishInstall(query: URLSearchParams, cookie: string): Promise<string> {
  const state = query.get('state') ?? '';
  const verifier = begun.get(state);
  begun.delete(state);
  if (verifier === undefined || !cookie.includes(`state=${state}`)) return 'Please start again.';
  const code = query.get('code');
  if (code === null) return `Not installed: ${query.get('error')}`;
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  if (!answer.ok) return `Not installed: ${await answer.text()}`;
  const { merchant, access_token, refresh_token, expires_in } = (await answer.json()) as Granted;
  const expires_at = Date.now() + expires_in * 1_000;
  const known = stores.get(merchant)?.state;
  await addStore({
    installedAt: new Date(Date.now() - (Date.now() % 1_000)).toISOString(),
    ...known,
    alias: merchant,
    tokens: { access_token, refresh_token, expires_at },
  });
  return `Installed in ${merchant}.`;
}

/**
 * Answers a delivery with 200 once its event is handled; anything else makes the service send it
 * again.
 */
async function receiveDelivery(alias: string, request: IncomingMessage): Promise<number> {
  const store = stores.get(alias);
  const secret = store?.state.webhook?.secret;
  if (!store || secret === undefined) return 404;
  const body = await buffer(request);
  try {
    await store.receive(await webhooks.verify({ headers: request.headers, body }, secret));
    return 200;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return error instanceof ApiError && error.code === 'signature' ? 401 : 503;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', appUrl);
  const [, alias] = /^\/webhooks\/([\w-]+)$/.exec(pathname) ?? [];
  if (alias !== undefined && request.method === 'POST') {
    response.writeHead(await receiveDelivery(alias, request)).end();
  } else if (pathname === '/callback') {
    response.end(await finishInstall(searchParams, request.headers.cookie ?? ''));
  } else if (pathname === '/') {
    install(response);
  } else {
    response.writeHead(404).end();
  }
}

mkdirSync(folder, { recursive: true });
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(Number(process.env['PORT'] ?? new URL(appUrl).port), '127.0.0.1');
await once(server, 'listening');
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
  await addStore(JSON.parse(readFileSync(join(folder, name), 'utf8')) as StoreState);
}
const { port } = server.address() as AddressInfo;
console.log(`Listening on port ${port}. Open ${appUrl} to install the app.`);
