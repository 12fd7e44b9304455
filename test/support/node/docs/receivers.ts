import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../runtime/free-port.ts';
import { startProgram, writeSample, type SampleLanguage, type SampleRun } from './samples.ts';

/** A request to the receiver of a sample. */
export interface SampleDelivery {
  headers: Record<string, string>;
  body: string;
}

/** Serves what a TypeScript sample exports with Node, as Workers, Deno and Bun do by themselves. */
export const nodeServer = (module: string) => `
import { createServer } from 'node:http';
import receiver from ${JSON.stringify(module)};
createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const { headers, method } = incoming;
  const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
  const request = new Request('http://receiver.test' + incoming.url, { method, headers, body });
  const answer = await receiver.fetch(request);
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(process.env.PORT, '127.0.0.1');`;

/** Serves the Rack application of the Ruby sample without any gem. */
const rubyServer = (module: string) => `
require 'socket'
require 'stringio'
require ${JSON.stringify(module)}
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT').to_i)
loop do
  socket = server.accept
  socket.gets
  env = {}
  until (line = socket.gets.chomp).empty?
    name, value = line.split(': ', 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  env['rack.input'] = StringIO.new(socket.read(env['HTTP_CONTENT_LENGTH'].to_i))
  status, = Receiver.call(env)
  socket.write "HTTP/1.1 #{status} Done\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n"
  socket.close
end`;

/** Returns the command that serves a sample on the port in the environment. */
function serve(
  { key }: SampleLanguage,
  [program, ...args]: readonly [string, ...string[]],
  { cwd, port }: { cwd: string; port: number },
): [string, ...string[]] {
  const [script = ''] = args.slice(-1);
  if (key === 'php') return [program, '-S', `127.0.0.1:${port}`, script];
  // `go run` has the receiver as a child, which would go on when its parent is stopped.
  if (key === 'go') return ['bash', '-c', 'go build -o receiver "$0" && exec ./receiver', script];
  if (key !== 'typescript' && key !== 'ruby') return [program, ...args];
  const path = join(cwd, key === 'ruby' ? 'server.rb' : 'server.mjs');
  writeFileSync(path, key === 'ruby' ? rubyServer(script) : nodeServer(script));
  return [program, path];
}

/**
 * Starts the receiver of the sample `verify-webhook`; `replace` changes its text. Returns the
 * status of a delivery.
 */
export async function startSampleReceiver(
  language: SampleLanguage,
  run: SampleRun,
  secrets: readonly string[],
) {
  const port = await freePort();
  const command = await writeSample('verify-webhook', language, {
    ...run,
    replace: { ...run.replace, '":3000"': `":${port}"` },
  });
  const env = { PORT: `${port}`, WEBHOOK_SECRETS: secrets.join(' ') };
  const { child, ended } = startProgram(serve(language, command, { cwd: run.cwd, port }), {
    cwd: run.cwd,
    env,
  });
  const send = async ({ headers, body }: SampleDelivery): Promise<number> => {
    for (;;) {
      try {
        const { status } = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers,
          body,
        });
        return status;
      } catch (error) {
        // It is still starting.
        if (child.exitCode !== null) throw error;
        await new Promise((resolve) => void setTimeout(resolve, 25));
      }
    }
  };
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    await ended;
  };
  return { send, stop };
}
