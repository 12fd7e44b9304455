/**
 * An alert to send: its kind, what it is about, how often it came, and the fields of its first
 * line.
 */
export interface Alert {
  event: string;
  /** Names a shard, a store or another thing; empty if the line names none. */
  subject: string;
  count: number;
  fields: Record<string, unknown>;
}

/** The fields that name a thing. The others measure it, or differ in each line. */
const namesOfThings = [
  'shard',
  'store',
  'database',
  'queue',
  'task',
  'table',
  'kind',
  'job',
  'grant',
  'endpoint',
  'transfer',
  'outcome',
] as const;

/** Names what a line is about, in a part of a key of KV. */
const subjectOf = (fields: Record<string, unknown>): string =>
  namesOfThings
    .filter((name) => typeof fields[name] === 'string' || typeof fields[name] === 'number')
    .map((name) => `${name}=${String(fields[name])}`)
    .join(',')
    .slice(0, 150);

/** The meaning of an alert, and its remedy. */
interface Advice {
  meaning: string;
  action: string;
  /** The heading of its runbook, or that of the tables, as an anchor. */
  anchor: string;
}

/** Separates the link to a runbook, at the end of a row, from the text of an action. */
function readAction(cell: string): Pick<Advice, 'action' | 'anchor'> {
  const [link = '', anchor = 'alerts'] = /\[[^\]]+\]\(#([a-z-]+)\)$/.exec(cell) ?? [];
  return { action: cell.slice(0, cell.length - link.length).trim(), anchor };
}

/** Reads the tables of the alerts from OPERATIONS.md: the one place that explains them. */
export function readRunbook(text: string): Map<string, Advice> {
  const [, section = ''] = /\n## Alerts\n([^]*?)\n## /.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, events = '', meaning = '', action = ''] = row.split('|').map((cell) => cell.trim());
      return [...events.matchAll(/`([a-z_]+)`/g)].map(
        ([, event = '']) => [event, { meaning, ...readAction(action) }] as const,
      );
    }),
  );
}

/**
 * Outcomes of invocations that are no failure of the service; a client may close its connection.
 */
const fineOutcomes = new Set(['ok', 'canceled', 'responseStreamDisconnected']);

/** The parts of an invocation that hold alerts. */
type Invocation = Pick<TraceItem, 'outcome' | 'logs' | 'scriptName'>;

/**
 * Finds the alerts in the logs of invocations, one of each kind and subject: lines with `alert`,
 * and invocations that failed.
 */
export function findAlerts(invocations: readonly Invocation[]): Alert[] {
  const found = invocations.flatMap(({ outcome, logs }) => [
    ...(fineOutcomes.has(outcome) ? [] : [{ event: 'invocation_failed', fields: { outcome } }]),
    ...logs.flatMap(({ message }) => alertOf(message)),
  ]);
  const named = found.map((line) => ({ ...line, subject: subjectOf(line.fields) }));
  const groups = Map.groupBy(named, ({ event, subject }) => `${event}:${subject}`).values();
  return [...groups].flatMap((lines) =>
    lines.slice(0, 1).map((first) => ({ ...first, count: lines.length })),
  );
}

/** Parses the arguments of a call of `console`: one line of JSON (`base/log.ts`). */
function alertOf(message: unknown): { event: string; fields: Record<string, unknown> }[] {
  const [text] = Array.isArray(message) ? (message as unknown[]) : [message];
  if (typeof text !== 'string' || !text.includes('"alert":true')) return [];
  try {
    const { event, level: _, alert, ...fields } = JSON.parse(text) as Record<string, unknown>;
    return alert === true && typeof event === 'string' ? [{ event, fields }] : [];
  } catch {
    return [];
  }
}
