import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
};

/**
 * Returns the handler of the binding `ASSETS`: files of `folder`, with an ETag. It reads them at
 * each request, so the documentation may be built while the service runs. The static assets of the
 * runtime are listed once, at its start.
 */
export const serveFolder = (folder: string) => async (request: { url: string }) => {
  const { pathname } = new URL(request.url);
  // `URL` has resolved every `..`, and names of files contain no escape.
  const content = await readFile(join(folder, pathname)).catch(() => undefined);
  if (!content) return new Response(null, { status: 404 });
  const etag = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const type = contentTypes[extname(pathname)] ?? 'application/octet-stream';
  return new Response(content, { headers: { 'Content-Type': type, ETag: `"${etag}"` } });
};
