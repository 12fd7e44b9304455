import { expect, it } from 'vitest';
import document from '../../../src/ops/OPERATIONS.md?raw';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { operationGroups } from '../../../src/routes/operations.ts';

/** The rows of the table in OPERATIONS.md: page, operation and command of each action. */
const rows = [...document.matchAll(/^\| [^|]+ \| (\S+) \| `(POST \S+)` \| `(\S+)` \|$/gm)].map(
  ([, page = '', route = '', command = '']) => ({ page: page.replaceAll('`', ''), route, command }),
);

it('OPERATIONS.md names every action of operators with its operation and its command', () => {
  const declared = operationGroups.flatMap(({ operations }) =>
    operations
      .filter(({ access, method }) => access === 'operator' && method !== 'GET')
      .map(({ id, method, path }) => ({
        route: `${method} ${path}`,
        command: id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      })),
  );
  expect(rows.map(({ route, command }) => ({ route, command }))).toEqual(
    expect.arrayContaining(declared),
  );
  expect(rows).toHaveLength(declared.length);
});

it('OPERATIONS.md names the page of every action that has a form', () => {
  const named = rows.map(({ page }) => page).filter((page) => page !== '–');
  const shape = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '*');
  const forms = operatorPages.flatMap(({ path, onSubmit }) => (onSubmit ? [shape(path)] : []));
  expect(named.map(shape).sort()).toEqual(forms.sort());
});
