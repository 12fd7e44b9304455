import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MerchantBrowser } from '../oauth/merchant.ts';
import { startProgram, writeSample, type SampleLanguage, type SampleRun } from './samples.ts';

/** Runs the sample pkce, with a merchant who approves in a browser. */
export async function connectSample(language: SampleLanguage, run: SampleRun): Promise<string> {
  const { child, ended } = startProgram(await writeSample('pkce', language, run), run);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  while (!/authorize\?\S+\s/.test(printed) && child.exitCode === null) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  const [link = ''] = /http\S+authorize\?\S+/.exec(printed) ?? [];
  const callback = await new MerchantBrowser(run.origin).decide(link);
  child.stdin.end(`${callback.href}\n`);
  const { output, succeeded } = await ended;
  if (!succeeded) throw new Error(output);
  return output;
}

/** Reads the tokens that a sample stored, and the status of a call with them. */
export async function tryTokens({ cwd, origin }: Pick<SampleRun, 'cwd' | 'origin'>) {
  const tokens = JSON.parse(readFileSync(join(cwd, 'tokens.json'), 'utf8')) as Record<
    'access_token' | 'refresh_token',
    string
  >;
  const { status } = await fetch(`${origin}/v2/auth/me`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.access_token}`,
      'X-Partner-Client-ID': 'demo-app',
    },
  });
  return { status, refreshToken: tokens.refresh_token };
}
