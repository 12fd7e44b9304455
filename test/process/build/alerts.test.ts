import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readRunbook } from '../../../src/ops/watch/alerts.ts';

/** The events that the code logs with `alert: true`. */
function loggedAlerts(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(join('src', file), 'utf8');
    const calls = source.matchAll(/\blog\(\s*'error',([^{}]*),\s*\{\s*alert: true/g);
    const events = [...calls].flatMap(([, name = '']) =>
      [...name.matchAll(/'([a-z_]+)'/g)].map(([, event = '']) => event),
    );
    // The pattern must see every alert, or the test would prove nothing.
    expect(source.split('alert: true').length - 1, file).toBeLessThanOrEqual(events.length);
    return events;
  });
}

/**
 * The events in the table below a heading of OPERATIONS.md, and the other columns of their rows.
 */
function documentedAlerts(): Map<string, string[]> {
  const text = readFileSync('src/ops/OPERATIONS.md', 'utf8');
  const [, section = ''] = /\n### Lines that need a person\n([\s\S]*?)\n##/.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, events = '', ...columns] = row.split('|').map((cell) => cell.trim());
      return [...events.matchAll(/`([a-z_]+)`/g)].map(
        ([, event = '']) => [event, columns] as const,
      );
    }),
  );
}

it('every alert of the code is explained in OPERATIONS.md, with what to do, and no other', () => {
  const documented = documentedAlerts();
  expect([...documented.keys()].toSorted()).toEqual([...new Set(loggedAlerts())].toSorted());
  for (const [event, [meaning, todo]] of documented) {
    expect(meaning, event).not.toBe('');
    expect(todo, event).not.toBe('');
  }
});

/** The anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

it.each(['src/ops/OPERATIONS.md', 'src/deploy/FIRST-HOUR.md', 'src/deploy/README.md'])(
  'every link to a heading in %s leads to one',
  (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s:]*)#([^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [link, path = '', anchor = ''] of links) {
      const target = path === '' ? file : join(dirname(file), path);
      expect([...anchorsOf(readFileSync(target, 'utf8'))], link).toContain(anchor);
    }
  },
);

it('an alert carries the anchor of its runbook, and one without has that of the tables', () => {
  const text = readFileSync('src/ops/OPERATIONS.md', 'utf8');
  const runbook = readRunbook(text);
  const anchors = anchorsOf(text);
  for (const [event, { anchor, action }] of runbook) {
    expect([...anchors], event).toContain(anchor);
    expect(action, event).not.toContain('](');
  }
  const anchorOf = (event: string) => runbook.get(event)?.anchor;
  expect(
    ['database_full', 'webhook_endpoints_overdue', 'event_archive_failed'].map(anchorOf),
  ).toEqual(['database-full', 'queue-backlog', 'bucket-gone']);
  expect(anchorOf('erasure_incomplete')).toBe('alerts');
  for (const name of ['directory-down', 'leaked-token', 'bad-release']) {
    expect([...anchors]).toContain(name);
  }
});
