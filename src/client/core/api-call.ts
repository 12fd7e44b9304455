import type { Call, CallResponse } from './public.ts';

/** The promise of a call. It already runs; awaiting it gives its data. */
export class PendingCall<T> implements Call<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #response: Promise<CallResponse<T>>;

  constructor(response: Promise<CallResponse<T>>) {
    this.#response = response;
  }

  withResponse() {
    return this.#response;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is a promise
  then<Result = T, Failure = never>(
    onData?: ((data: T) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#response.then(({ data }) => data).then(onData, onError);
  }

  catch<Failure = never>(
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<T | Failure> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return Promise.resolve(this).finally(onEnd);
  }
}
