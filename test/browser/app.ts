import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An app on this machine, with the pages that its tests give it. */
export interface App {
  origin: string;
  /** Its address in the registration of `demo-app`, on the port it got. */
  redirectUri: string;
  /** Each request that came for the callback. */
  callbacks: URL[];
  close: () => void;
}

/** Listens like a native app does; `pages` are bodies by path. */
export async function startApp(pages: Record<string, string> = {}): Promise<App> {
  const callbacks: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') callbacks.push(url);
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>App</title>${pages[url.pathname] ?? 'App'}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    redirectUri: `${origin}/callback`,
    callbacks,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
