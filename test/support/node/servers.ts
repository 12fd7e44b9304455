import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Servers of a test, each on a free port of loopback. */
export class Servers {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Answers with the port. */
  async listen(server: Server): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      // Whoever breaks a connection off is what a test wants to see.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Does whatever it likes with a connection once the first bytes are there. */
  plain(answer: (socket: Socket) => void): Promise<number> {
    return this.listen(createServer((socket) => void socket.once('data', () => answer(socket))));
  }

  http(answer: RequestListener): Promise<number> {
    return this.listen(createHttpServer(answer));
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
