import type { App } from '../db/apps.ts';
import type { Settings } from '../settings.ts';
import type { Parameters } from './parameters.ts';

/** A request to the token endpoint once its form is read and its client is known. */
export interface TokenRequest {
  env: Env;
  settings: Settings;
  form: Parameters;
  app: App;
  now: number;
  /** Takes what may go on after the answer (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}
