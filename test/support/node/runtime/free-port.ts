import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns an unused port of a local host name or address. */
export async function freePort(host = 'localhost'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
