import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The servers of a test, each on an unused loopback port. */
export class TestServers {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Starts a server and returns its port. */
  async listen(server: Server): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      // Tests break connections on purpose.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /**
   * Starts a TCP server that calls `handle` after the first bytes of a connection; returns its
   * port.
   */
  plain(handle: (socket: Socket) => void): Promise<number> {
    return this.listen(createServer((socket) => void socket.once('data', () => handle(socket))));
  }

  /** Starts an HTTP server and returns its port. */
  http(handle: RequestListener): Promise<number> {
    return this.listen(createHttpServer(handle));
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
