import { createServer } from 'node:net';

/** Throws a sentence when nothing can listen on this port of the machine. */
export function demandFreePort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken`
          : `Port ${port} cannot be used (${error.code})`;
      reject(
        new Error(
          `${reason}. Choose another one: npm start -- --port ${port === 9000 ? 9001 : 9000}`,
        ),
      );
    });
    probe.listen(port, 'localhost', () => probe.close(() => resolve()));
  });
}
