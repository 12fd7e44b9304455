import { demoValues } from './samples.ts';

/** Calls an operation of the demo's store. Throws unless it succeeds. */
export async function callDemo<T>(
  origin: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const { user_token: token, user_secret: secret } = demoValues(origin);
  const response = await fetch(`${origin}/v2/demo${path}`, {
    method,
    headers: {
      'User-Token': token,
      'User-Secret-Key': secret,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
