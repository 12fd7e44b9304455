import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A partner app on this machine that serves the pages of a test. */
export interface AppServer {
  origin: string;
  /** The loopback redirect URI of `demo-app`, with the port of this server. */
  redirectUri: string;
  /** All requests to the redirect URI. */
  callbacks: URL[];
  close: () => void;
}

/** Starts a server on a free loopback port, like a native app. `pages` are bodies by path. */
export async function startAppServer(pages: Record<string, string> = {}): Promise<AppServer> {
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
