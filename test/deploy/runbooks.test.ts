import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { experimental_getWranglerCommands as wranglerCommands } from 'wrangler';
import { splitMigration } from '../../drizzle/complete-migration.ts';
import manifest from '../../package.json';
import { errorCodes } from '../../src/base/error-codes.ts';
import { browserPaths } from '../../src/base/page-paths.ts';
import { loadCommands, type OperatorCommand } from '../../src/client/operator/commands.ts';
import { parseWords } from '../../src/client/operator/words.ts';
import { parseDeployment } from '../../src/deploy/deployment-file.ts';
import {
  datasetName,
  deploymentResources,
  watchName,
} from '../../src/deploy/deployment-resources.ts';
import { readLocalConfig } from '../../src/deploy/local-config.ts';
import { productionVars } from '../../src/deploy/production-vars.ts';
import { printPlan } from '../../src/deploy/run-deployment.ts';
import { createRun } from '../../src/deploy/run.ts';
import { operatorPages } from '../../src/pages/operator/operator-pages.ts';
import { operationGroups } from '../../src/routes/operations.ts';
import { projectRoot } from '../support/node/deploy/production-config.ts';
import { codeBlocks, quotedTexts, splitCommands } from '../support/node/docs/shell-commands.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** The documents that an operator works with. */
const documents = [
  'src/ops/OPERATIONS.md',
  'src/deploy/FIRST-HOUR.md',
  'src/deploy/README.md',
  'src/stores/copies/README.md',
  'src/ops/jobs/README.md',
  'src/stores/move/README.md',
  'drizzle/README.md',
];

const local = readLocalConfig(projectRoot);
const deployment = parseDeployment({
  name: 'my-shop',
  host: 'api.store.example',
  location: 'enam',
  shards: 2,
  alerts: { url: 'https://chat.example.com' },
});
const { databases, queues, buckets } = deploymentResources(local, deployment);

/** Puts the name of a deployment, and values, in the places that a reader fills in. */
const fillIn = (text: string) =>
  text
    .replaceAll('<name>_points', datasetName(deployment, 'points'))
    .replaceAll('<name>', deployment.name)
    .replaceAll('<queue>', queues[0]!)
    .replaceAll(/<\w+>|\{(?:alias|jobId)\}|\$n\b/g, '7');

/** A path whose parameters have no names. */
const shape = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '*').replace(/(?<=.)\/$/, '');

const commandsOf = await loadCommands();

const programs =
  /^(?:time |export |for .*?; do )?(?:npx|npm|wrangler|curl|points|grep|openssl|seq)\b/;
const isCommand = (text: string) =>
  (programs.test(text) && text.includes(' ')) || commandsOf.has(text.split(' ')[0]!);

/** Every command of a document: of its blocks, and those in its sentences. */
const commandsIn = (document: string) =>
  [
    ...codeBlocks(document, 'sh').flatMap((block) => block.trim().split('\n')),
    ...quotedTexts(document).filter(isCommand),
  ].flatMap((line) => splitCommands(fillIn(line)).map((words) => ({ line, words })));

/** The words after a program, if a command calls it: `npx wrangler d1 info x` calls `wrangler`. */
const callsOf = (document: string, ...program: string[]) =>
  commandsIn(document).flatMap(({ line, words }) => {
    const first = words.findIndex((_, index) =>
      program.every((name, place) => words[index + place] === name),
    );
    const isOurs =
      first >= 0 && words.slice(0, first).every((text) => /^(?:time|do|npx)$/.test(text));
    return isOurs ? [{ line, args: words.slice(first + program.length) }] : [];
  });

const { registry, globalFlags } = wranglerCommands();
type CommandTree = typeof registry.subtree;

/** A command of the pinned wrangler, and the words after its name. */
function findWranglerCommand(words: readonly string[]) {
  let [subtree, depth]: [CommandTree, number] = [registry.subtree, 0];
  for (;;) {
    const next = subtree.get(words[depth] ?? '');
    if (!next) throw new Error(`wrangler has no command ${words.slice(0, depth + 1).join(' ')}.`);
    depth += 1;
    const { definition } = next;
    if (definition?.type === 'command') return { definition, args: words.slice(depth) };
    subtree = next.subtree;
  }
}

interface Flag {
  type?: string;
  alias?: string | readonly string[];
  demandOption?: unknown;
}

/**
 * Parses a call of wrangler by its own definition of the command. Throws for what that does not
 * know.
 */
function parseWrangler(words: readonly string[]) {
  const { definition, args } = findWranglerCommand(words);
  const flags: Record<string, Flag> = { ...(globalFlags as object), ...definition.args };
  const names = Object.entries(flags).flatMap(([name, { type, alias = [] }]) =>
    [name, ...[alias].flat()].map(
      (key) => [key, { type: type === 'boolean' ? 'boolean' : 'string' }] as const,
    ),
  );
  const long = names.filter(([name]) => name.length > 1);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(long),
  });
  const wanted = definition.positionalArgs ?? [];
  const needed = Object.entries(flags).filter(
    ([name, { demandOption }]) => demandOption === true && wanted.includes(name),
  );
  if (positionals.length > wanted.length || positionals.length < needed.length) {
    throw new Error(`Takes ${wanted.join(' ')}, not "${positionals.join(' ')}".`);
  }
  return { command: definition.command.replace('wrangler ', ''), values, positionals };
}

const operations = operationGroups.flatMap((group) => group.operations);

const operationOf = ({ method, path }: OperatorCommand) =>
  operations.find((one) => `${one.method} /v2${one.path}` === `${method} ${path}`)!;

/**
 * The columns that the table of OPERATIONS.md has for each kind of point, as `recordPoint` writes
 * them.
 */
const columnsOfPoints = new Map(
  Object.entries({
    sweep: [2, 7],
    run: [2, 4],
    request: [5, 7],
    mail: [1, 3],
    dead_letters: [0, 2],
  }).map(([kind, [names = 0, values = 0]]) => [
    kind,
    [
      ...Array.from({ length: names + 1 }, (_, index) => `blob${index + 1}`),
      ...Array.from({ length: values }, (_, index) => `double${index + 1}`),
    ],
  ]),
);

/** The databases of the two kinds, as migrations leave them. */
const migrated = Object.fromEntries(
  ['directory', 'store'].map((kind) => {
    const database = new DatabaseSync(':memory:');
    for (const file of globSync(`drizzle/${kind}/*.sql`, { cwd: projectRoot }).toSorted()) {
      for (const statement of splitMigration(read(file))) database.exec(statement);
    }
    return [kind, database];
  }),
) as Record<'directory' | 'store', DatabaseSync>;

const databaseOf = (binding: string) =>
  migrated[/^DIRECTORY$|-directory$/.test(binding) ? 'directory' : 'store'];

/** The resources that the first argument of a command of wrangler may name. */
const known: Record<string, readonly string[]> = {
  d1: databases.flatMap(({ binding, name }) => [binding, name]),
  queues,
  r2: buckets,
  delete: [watchName(deployment)],
};

describe.each(documents)('the commands of %s', (file) => {
  const document = read(file);

  it('of wrangler are those of the pinned wrangler, with its flags, and names of a deployment', () => {
    for (const { line, args } of callsOf(document, 'wrangler')) {
      const isWhole = line.includes('npx wrangler');
      // A sentence may name a command without its arguments.
      if (!isWhole && !args.some((word) => /^-|[<7]/.test(word)) && args.length < 4) {
        expect(() => findWranglerCommand(args), line).not.toThrow();
        continue;
      }
      const { command, values, positionals } = parseWrangler(args);
      const names = known[command.split(' ')[0]!];
      if (names) expect(names, line).toContain(positionals[0]);
      // Without it, wrangler asks which account, or takes another one.
      if (isWhole && command !== 'login') expect(values, line).toHaveProperty('config');
      if (typeof values['file'] === 'string') expect(existsSync(values['file']), line).toBe(true);
      if (typeof values['command'] === 'string') {
        databaseOf(positionals[0]!).prepare(values['command']);
      }
    }
  });

  it('of npm are scripts of package.json, with their flags', () => {
    for (const { line, args } of callsOf(document, 'npm', 'run')) {
      const [script = '', dashes, ...words] = args;
      const command = (manifest.scripts as Record<string, string>)[script];
      expect(command, line).toBeDefined();
      if (words.length === 0 || script === 'operator') continue;
      expect(dashes, line).toBe('--');
      const flags = read(/\S+\.ts/.exec(command!)![0]).matchAll(/^ +'?([\w-]+)'?: \{ type: /gm);
      const names = [...flags].map(([, name]) => `--${name}`);
      for (const word of words.filter((text) => text.startsWith('--'))) {
        expect(names, line).toContain(word);
      }
    }
  });

  it('of operators are operations, with all that they need', () => {
    const calls = [
      ...callsOf(document, 'npm', 'run', 'operator').map(({ line, args }) => ({
        line,
        args: args.slice(1),
      })),
      // A command that a sentence only names has no arguments.
      ...commandsIn(document).flatMap(({ line, words }) =>
        commandsOf.has(words[0]!) && words.length > 1 ? [{ line, args: words }] : [],
      ),
    ];
    for (const { line, args } of calls) {
      const [name = '', ...words] = args.map((word) => (word === 'N' ? '0' : word));
      const command = commandsOf.get(name) as OperatorCommand;
      expect(command, line).toBeDefined();
      const { body } = parseWords(command, words);
      const { body: schema } = operationOf(command);
      if (body !== undefined) expect(schema?.safeParse(body).error, line).toBeUndefined();
    }
  });

  it('of SQL for data points name columns that a point of this kind has', () => {
    const queries = [
      ...codeBlocks(document, 'sql'),
      ...quotedTexts(document).filter((text) => text.startsWith('points ')),
    ];
    for (const text of queries) {
      const [, kind = ''] = / index1 = '(\w+)'/.exec(text) ?? [];
      expect(fillIn(text), text).toMatch(
        new RegExp(`\\sFROM ${datasetName(deployment, 'points')}\\s`),
      );
      for (const [column] of text.matchAll(/\b(?:blob|double)\d+/g)) {
        expect(columnsOfPoints.get(kind), text).toContain(column);
      }
    }
  });

  it('of SQL name tables and columns', () => {
    const statements = quotedTexts(document).filter((text) =>
      /^(?:select|update|delete from) \S+ /.test(text),
    );
    for (const text of statements) {
      expect(() => migrated.store.prepare(text), text).not.toThrow();
    }
  });
});

describe.each(documents)('the names of %s', (file) => {
  const document = read(file);
  const texts = quotedTexts(document);

  it('are operations, where a method stands before a path', () => {
    const routes = operations.map(({ method, path }) => `${method} ${shape(path)}`);
    for (const text of texts.filter((one) => /^(?:GET|POST|PUT|PATCH|DELETE) [/.]/.test(one))) {
      const [method = '', path = ''] = text.split(' ');
      const wanted = shape(path.replace(/^\/v2/, ''));
      const isMeant = (route: string) =>
        path.startsWith('...')
          ? route.startsWith(`${method} /operator/`) && route.endsWith(wanted.slice(3))
          : route === `${method} ${wanted}`;
      expect(routes.some(isMeant), text).toBe(true);
    }
  });

  it('are pages, where a path stands alone', () => {
    const pages = [
      '/ready',
      '/health',
      '/v2',
      ...Object.values(browserPaths),
      ...operatorPages.map(({ path }) => path),
    ].map(shape);
    for (const text of texts.filter((one) => /^\/[a-z]/.test(one))) {
      expect(pages, text).toContain(shape(text));
    }
  });

  it('are resources of a deployment', () => {
    const names = [
      deployment.name,
      ...databases.map(({ name }) => name),
      ...queues,
      ...buckets,
      watchName(deployment),
      datasetName(deployment, 'points'),
    ];
    for (const text of texts.filter((one) => one.startsWith('<name>'))) {
      expect(names, text).toContain(fillIn(text));
    }
  });

  it('are commands of operators, where words are joined by hyphens', () => {
    const named = texts.filter((one) => /^[a-z]+(?:-[a-z]+)+$/.test(one) && one !== 'cf-placement');
    expect(named.filter((name) => !commandsOf.has(name))).toEqual([]);
  });

  it('are files', () => {
    const made =
      /^(?:.*\/)?(?:deployment|staging|state|wrangler|watch|manifest|_held)(?:\.secrets)?\.json$/;
    for (const text of texts.filter((one) => /^[\w./-]+\.(?:tsx?|md|sql|json|toml)$/.test(one))) {
      const places = [text, join(dirname(file), text), join('src', text)];
      const isThere =
        places.some((place) => existsSync(join(projectRoot, place))) ||
        // A list of files names the folder once.
        globSync(`src/**/${text}`, { cwd: projectRoot }).length > 0;
      expect(isThere || made.test(text), text).toBe(true);
    }
  });
});

it('OPERATIONS.md has a row for each setting of the Worker, and one that an operator can set', () => {
  const [, table = ''] = /\n## Settings\n([^]*?)\n#/.exec(read('src/ops/OPERATIONS.md')) ?? [];
  const rows = [...table.matchAll(/^\| (`[^|]+`)((?: \(secrets?\))?(?:, `\w+`)*[^|]*) \|/gm)];
  const documented = rows.flatMap(([, first = '', rest = '']) =>
    [...`${first}${rest}`.matchAll(/`(\w+)`/g)].map(([, name]) => ({
      name: name!,
      isSecret: rest.includes('secret'),
    })),
  );
  const source = read('src/base/settings.ts');
  const [, schema = ''] = /\.object\(\{\n([^]*?)\n {4}\}\)/.exec(source) ?? [];
  const settings = [...schema.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name!);
  // Nobody sets these: tests, the demo, and what follows from the deployment file.
  const inner =
    /^(?:DELIVERY_BATCH_SIZE|FIXED_CLIENT_IDS|METRICS_(?:URL|DATASET)|BRAND_.*|SUPPORT_ADDRESS)$/;
  const names = new Set(documented.map(({ name }) => name));
  expect(settings.filter((name) => !names.has(name) && !inner.test(name))).toEqual([]);
  expect([...names].filter((name) => !settings.includes(name))).toEqual([]);
  const localOnly = new Set(['LOCAL_HOSTS', 'LOCAL_ORIGIN']);
  const derived = new Set(Object.keys(productionVars(local.vars, deployment)));
  const unsettable = documented.filter(
    ({ name, isSecret }) => !isSecret && !derived.has(name) && !localOnly.has(name),
  );
  expect(unsettable.map(({ name }) => name)).toEqual([]);
});

it('the README of deploy has a row for each field of the deployment file', () => {
  const [, table = ''] =
    /\n\| Field \| Meaning \|\n([^]*?)\n\n/.exec(read('src/deploy/README.md')) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  const [, schema = ''] =
    /\.strictObject\(\{\n( {4}\/\*\* Name of the Worker[^]*?)\n {2}\}\)/.exec(
      read('src/deploy/deployment-file.ts'),
    ) ?? [];
  const fields = [...schema.matchAll(/^ {4}(\w+)[:,]/gm)].map(([, name]) => name!);
  expect(rows.toSorted()).toEqual(fields.toSorted());
});

it('the runbooks quote what the pages and the commands say', () => {
  const [, runbooks = ''] = /\n## Runbooks\n([^]*)$/.exec(read('src/ops/OPERATIONS.md')) ?? [];
  const prose = runbooks.replaceAll(/```[^]*?```|`[^`]*`/g, '');
  const quotes = [...prose.matchAll(/"([A-Z][^"]+)"|(?<!\*)\*([A-Z][^*]+)\*(?!\*)/g)].map(
    ([, label = '', message = '']) => label || message,
  );
  expect(quotes.length).toBeGreaterThan(5);
  const code = globSync('src/{deploy/*.ts,web/texts/en/*.ts}', { cwd: projectRoot })
    .map(read)
    .join('\n');
  for (const quote of quotes) {
    // Numbers are filled in, and a sentence begins with the name of the store or the shard.
    const pattern = quote.slice(1).replaceAll(/\d+/g, String.raw`\$\{[\w.]+\}`);
    expect(new RegExp(pattern).test(code), quote).toBe(true);
  }
});

it('FIRST-HOUR.md names the number of steps, and the triggers of a shard as files have them', async () => {
  const text = read('src/deploy/FIRST-HOUR.md');
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const deploymentFile = join(projectRoot, 'deployment.json');
  await printPlan(createRun({ root: projectRoot, deploymentFile, deployment, local, print }));
  const steps = lines.filter((line) => /^\d+\. /.test(line));
  expect(text).toContain(`the plan of ${steps.length} steps`);
  const [, sql = ''] = /--command "(select count[^"]+)"/.exec(text) ?? [];
  const files = globSync('drizzle/store/*.sql', { cwd: projectRoot }).map(read);
  const lineCount = files.join('\n').match(/^.*CREATE TRIGGER.*$/gm)?.length;
  expect(Object.values(migrated.store.prepare(sql).get() ?? {})).toEqual([lineCount]);
});

it('each field that an alert has by its row is in its line', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).map(read);
  const [, section = ''] =
    /\n### Lines that need a person\n([^]*?)\n### /.exec(read('src/ops/OPERATIONS.md')) ?? [];
  for (const row of section.split('\n').filter((line) => line.startsWith('| `'))) {
    const [, events = '', ...cells] = row.split('|');
    const [event = ''] = /(?<=`)\w+/.exec(row) ?? [];
    const logging = sources.filter((source) => source.includes(`'${event}'`)).join('\n');
    const fields = quotedTexts(cells.join(' ')).filter(
      (one) => /^[a-z_]+$/.test(one) && !events.includes(one) && !(one in errorCodes),
    );
    const missing = fields.filter((name) => !new RegExp(`\\b${name}\\b`).test(logging));
    expect(missing, event).toEqual([]);
  }
});
