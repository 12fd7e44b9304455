import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signRequest, importSigningKey, type SigningKey } from '../../webhooks/signature.ts';
import type { Terminal } from './terminal.ts';

/**
 * An event of the feed: its id, its name, the fields that it changed, and the text that receivers
 * get.
 */
export interface ForwardedEvent {
  id: string;
  event: string;
  changed: readonly string[] | null | undefined;
  body: string;
}

/** The response of a receiver to one event. */
export interface Verdict {
  id: string;
  event: string;
  /** `null` when no response came. */
  status: number | null;
  ms: number;
  /** The action of the service after this response. */
  verdict: string;
}

/** How long the service waits for a response. */
const timeoutMs = 5_000;
const waitMs = 1_000;

/** A local receiver that gets events signed as the service signs them. */
export class Receiver {
  readonly #url: URL;
  readonly #serviceName: string;
  readonly #webhookId: number;
  readonly #key: SigningKey;
  #seq = 0;

  private constructor(url: URL, serviceName: string, webhookId: number, key: SigningKey) {
    this.#url = url;
    this.#serviceName = serviceName;
    this.#webhookId = webhookId;
    this.#key = key;
  }

  static async create(
    url: URL,
    webhook: { id: number; secret_key: string },
    serviceName: string,
  ): Promise<Receiver> {
    const key = await importSigningKey(webhook.secret_key);
    return new Receiver(url, serviceName, webhook.id, key);
  }

  /** Resolves once something listens at the address of the receiver; says so while nothing does. */
  async awaitListener(terminal: Terminal, signal: AbortSignal): Promise<void> {
    if (await this.#isListening()) return;
    terminal.say(`Nothing listens at ${this.#url.href}. Events wait until something does.`);
    while (!signal.aborted && !(await this.#isListening())) {
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
    if (!signal.aborted) terminal.say(`${this.#url.href} is there.`);
  }

  /**
   * Sends one event once. A receiver that refuses it does not get it again; production would repeat
   * it.
   */
  async send({ id, event, changed, body }: ForwardedEvent): Promise<Verdict> {
    this.#seq += 1;
    const at = Date.now();
    const { headers, bytes } = await signRequest({
      serviceName: this.#serviceName,
      secrets: { primary: this.#key },
      endpoint: this.#webhookId,
      epoch: 1,
      seq: this.#seq,
      eventId: id,
      event,
      changed: changed?.join() ?? null,
      apiVersion: '2.0',
      attempt: 1,
      triggeredAt: triggeredAt(id),
      at,
      body,
    });
    const status = await this.#post(headers, Buffer.from(bytes));
    return { id, event, status, ms: Date.now() - at, verdict: verdictOf(status) };
  }

  async #post(headers: Record<string, string>, body: Buffer<ArrayBuffer>) {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }

  #isListening(): Promise<boolean> {
    const { hostname, port, protocol } = this.#url;
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    return new Promise((resolve) => {
      const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), host);
      const settle = (isListening: boolean) => {
        socket.destroy();
        resolve(isListening);
      };
      socket.once('connect', () => settle(true)).once('error', () => settle(false));
      socket.setTimeout(waitMs, () => settle(false));
    });
  }
}

/** The twelve hexadecimal digits of an event's id after its store: epoch milliseconds. */
const triggeredAt = (id: string) => Number.parseInt(id.slice(-32, -20), 16);

function verdictOf(status: number | null): string {
  if (status === null) return 'no response within 5 seconds: would be sent again';
  if (status >= 200 && status < 300) return 'delivered';
  return status === 410 ? 'gone: would deactivate the webhook' : 'refused: would be sent again';
}
