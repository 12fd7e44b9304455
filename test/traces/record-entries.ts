import { relative } from 'node:path';
import type { Plugin } from 'vite';

interface Node {
  type: string;
  start: number;
  end: number;
  body?: unknown;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls `visit` for each function below a node. */
function walk(node: Node, visit: (found: Node) => void) {
  if (functions.has(node.type)) visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(child, visit);
  }
}

/**
 * Makes every function of `src` report its file and its place in it to `globalThis.entered`, when
 * it is called.
 */
export const recordEntries: Plugin = {
  name: 'record-entries',
  enforce: 'post',
  transform(code, id) {
    const file = relative(process.cwd(), id.replace(/\?.*/, ''));
    if (!/^src\/.*\.tsx?$/.test(file)) return undefined;
    const inserts: [at: number, text: string][] = [];
    walk(this.parse(code) as unknown as Node, ({ type, body, start, end }) => {
      if (!isNode(body)) return;
      const call = `globalThis.entered?.(${JSON.stringify(file)}, ${start}, ${end})`;
      if (body.type === 'BlockStatement') inserts.push([body.start + 1, `${call};`]);
      else if (type === 'ArrowFunctionExpression') {
        inserts.push([body.start, `(${call}, `], [body.end, ')']);
      }
    });
    let result = code;
    for (const [at, text] of inserts.toSorted(([one], [other]) => other - one)) {
      result = result.slice(0, at) + text + result.slice(at);
    }
    return { code: result, map: null };
  },
};
