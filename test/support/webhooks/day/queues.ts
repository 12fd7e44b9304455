import type { Isolate } from './databases.ts';
import { platform } from './platform-facts.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Message {
  body: unknown;
  attempts: number;
  isAcknowledged?: boolean;
}

interface QueueOptions {
  name: string;
  batchSize: number;
  maxRetries: number;
  consume: (batch: MessageBatch, isolate: Isolate) => Promise<void>;
  onDead: (message: Message) => void;
}

/**
 * A queue whose consumers the platform adds while messages wait, and takes away when none does. A
 * message that its consumer neither acknowledged nor gave back, because its isolate died, comes
 * again.
 */
export class SimulatedQueue {
  readonly #time: VirtualTime;
  readonly #options: QueueOptions;
  readonly #ready: Message[] = [];
  readonly #underWay = new Map<Message[], Isolate>();
  #consumers = 1;
  #isScaling = false;
  operations = 0;
  batches = 0;
  longestBacklog = 0;
  mostConsumers = 1;

  constructor(time: VirtualTime, options: QueueOptions) {
    this.#time = time;
    this.#options = options;
  }

  /** The binding of an isolate, for producers. */
  bindingOf = (isolate: Isolate) => {
    const sendBatch = (sent: Iterable<MessageSendRequest>) =>
      new Promise<void>((resolve) => {
        if (!isolate.isAlive) return;
        for (const { body, delaySeconds = 0 } of sent) {
          this.#enqueue({ body, attempts: 1 }, delaySeconds * 1000);
        }
        this.#time.after(platform.queueCallMs, resolve);
      });
    return { sendBatch, send: (body: unknown) => sendBatch([{ body }] as MessageSendRequest[]) };
  };

  /** The batches of dead isolates come again. */
  release(): void {
    for (const [messages, isolate] of this.#underWay) {
      if (isolate.isAlive) continue;
      this.#underWay.delete(messages);
      this.#again(messages, platform.redeliveryMs);
    }
  }

  #enqueue(message: Message, delayMs: number): void {
    // Written, read and deleted; a repetition is read once more.
    this.operations += message.attempts === 1 ? 3 : 1;
    this.#time.after(platform.queueLatencyMs + delayMs, () => {
      this.#ready.push(message);
      this.longestBacklog = Math.max(this.longestBacklog, this.#ready.length);
      this.#dispatch();
    });
  }

  #again(messages: readonly Message[], delayMs: number): void {
    for (const message of messages.filter(({ isAcknowledged }) => !isAcknowledged)) {
      const repeated = { body: message.body, attempts: message.attempts + 1 };
      if (repeated.attempts > this.#options.maxRetries + 1) this.#options.onDead(repeated);
      else this.#enqueue(repeated, delayMs);
    }
  }

  #dispatch(): void {
    while (this.#ready.length > 0 && this.#underWay.size < this.#consumers) {
      void this.#consume(this.#ready.splice(0, this.#options.batchSize));
    }
    if (this.#ready.length > 0 && !this.#isScaling) this.#scale();
  }

  /** Doubles the consumers while messages wait, and begins anew with one afterwards. */
  #scale(): void {
    this.#isScaling = true;
    this.#time.after(platform.scalingMs, () => {
      this.#isScaling = false;
      this.#consumers =
        this.#ready.length === 0 ? 1 : Math.min(platform.maxConsumers, 2 * this.#consumers);
      this.mostConsumers = Math.max(this.mostConsumers, this.#consumers);
      this.#dispatch();
      if (this.#consumers > 1 && !this.#isScaling) this.#scale();
    });
  }

  isolate: Isolate = { isAlive: true };

  async #consume(messages: Message[]): Promise<void> {
    const { isolate } = this;
    this.batches += 1;
    this.#underWay.set(messages, isolate);
    let retriedAfter: number | undefined;
    const batch = {
      queue: this.#options.name,
      messages: messages.map((message) => ({
        ...message,
        ack: () => {
          message.isAcknowledged = true;
        },
      })),
      ackAll: () => undefined,
      retryAll: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
        retriedAfter = delaySeconds * 1000;
      },
    } as unknown as MessageBatch;
    const hasFailed = await this.#options.consume(batch, isolate).then(
      () => false,
      () => true,
    );
    if (!this.#underWay.delete(messages)) return;
    if (hasFailed) this.#again(messages, 0);
    else if (retriedAfter !== undefined) this.#again(messages, retriedAfter);
    this.#dispatch();
  }
}
