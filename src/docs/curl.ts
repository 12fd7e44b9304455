import { demoStores, pairs } from '../demo/people.ts';
import { pathTextOf } from '../http/path-texts.ts';

/** What the lines of the page are filled with. */
export interface Setting {
  baseUrl: string;
  alias: string;
  userToken: string;
  userSecretKey: string;
  /** Where the first webhook points to. */
  receiver: string;
}

/** The demo store of a local deployment, or words to replace. */
export function settingOf(baseUrl: string, isLocal: boolean): Setting {
  const [{ alias }] = demoStores;
  const [{ token, secret }] = pairs;
  return isLocal
    ? {
        baseUrl,
        alias,
        userToken: token,
        userSecretKey: secret,
        receiver: `${new URL(baseUrl).origin}/demo/inbox`,
      }
    : {
        baseUrl,
        alias: 'YOUR-STORE',
        userToken: 'YOUR_API_KEY',
        userSecretKey: 'YOUR_API_SECRET_KEY',
        receiver: 'https://example.com/hooks/products',
      };
}

/** One command that calls a row with the header pair; numbers of records are 1. */
export function curl(setting: Setting, verb: string, path: string, body?: unknown): string {
  const { baseUrl, alias, userToken, userSecretKey } = setting;
  const address =
    baseUrl +
    path
      .replace('{alias}', alias)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => pathTextOf(name)?.example ?? '1');
  const parts = [
    `curl${verb === 'GET' && body === undefined ? '' : ` -X ${verb}`} ${quoted(address)}`,
    `-H ${quoted(`User-Token: ${userToken}`)}`,
    `-H ${quoted(`User-Secret-Key: ${userSecretKey}`)}`,
  ];
  if (body !== undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
