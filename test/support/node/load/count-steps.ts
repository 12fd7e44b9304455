import { parseAst } from 'vitest/node';

/** A node of the syntax tree, as far as steps are counted in it. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  body?: SyntaxNode | SyntaxNode[] | null;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

const loops: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);
const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/**
 * Adds a counter to the source of a Worker: of each call of a function and each turn of a loop. So
 * two runs have the same count, whatever else the machine does. What native code does, such as a
 * regular expression, is not counted.
 */
export function countSteps(script: string): string {
  const added: { at: number; text: string }[] = [];
  const visit = (node: SyntaxNode) => {
    const { body } = node;
    if ((loops.has(node.type) || functions.has(node.type)) && isNode(body)) {
      const isBlock = body.type === 'BlockStatement' || body.type === 'FunctionBody';
      if (isBlock) added.push({ at: body.start + 1, text: '__steps.count++;' });
      else if (loops.has(node.type)) {
        added.push({ at: body.start, text: '{__steps.count++;' }, { at: body.end, text: '}' });
      } else {
        added.push({ at: body.start, text: '(__steps.count++,' }, { at: body.end, text: ')' });
      }
    }
    for (const inner of Object.values(node)) {
      if (Array.isArray(inner)) inner.filter(isNode).forEach(visit);
      else if (isNode(inner)) visit(inner);
    }
  };
  visit(parseAst(script));
  // What ends at a place stands before what begins there, and what is inside ends first.
  const closes = ({ text }: { text: string }) => text === '}' || text === ')';
  const inOrder = [...added.filter(closes).toReversed(), ...added.filter((one) => !closes(one))];
  inOrder.sort((one, other) => one.at - other.at);
  const parts: string[] = ['const __steps=(globalThis.__steps??={count:0});'];
  let from = 0;
  for (const { at, text } of inOrder) {
    parts.push(script.slice(from, at), text);
    from = at;
  }
  parts.push(script.slice(from));
  return parts.join('');
}

/** The Worker with the path at which its steps are read. */
export const stepsSource = `
  import worker from './index.js';
  export * from './index.js';
  export default {
    ...worker,
    fetch(request, env, context) {
      if (new URL(request.url).pathname === '/steps') return new Response(String(globalThis.__steps.count));
      return worker.fetch(request, env, context);
    },
  };`;
