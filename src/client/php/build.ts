import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, lettersOf, type PackageContent } from '../build-package.ts';
import { groupTags, writeTags } from './declarations.ts';

/**
 * Writes a text of ASCII without quotes or backslashes, as paths, names and addresses are, as PHP
 * does.
 */
const quote = (text: string) => `'${text}'`;

/** Writes the class with the table: a constant array, which PHP keeps between requests. */
function writeClass({ methods: rows, defaultUrl, version, dateFields }: PackageContent): string {
  const groups = [...Map.groupBy(rows, ({ group }) => group)].map(([group, methods]) => {
    const lines = methods.map((row) => {
      const values = [row.path, row.verb, ...lettersOf(row).split('')].map(quote).join(', ');
      return `            ${quote(row.method)} => [${values}],\n`;
    });
    return `        ${quote(group)} => [\n${lines.join('')}        ],\n`;
  });
  return `<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** The operations. Written by the build. */
final class Operations
{
    public const VERSION = ${quote(version)};
    public const DEFAULT_URL = ${quote(defaultUrl)};

    /** Names of the fields that are dates as texts. */
    public const DATE_FIELDS = [${dateFields.map((name) => `${quote(name)} => true`).join(', ')}];

    /** Path, verb, and the letters of result and argument of each method, by group. */
    public const GROUPS = [
${groups.join('')}    ];
}
`;
}

buildPackage({
  language: 'php',
  code: 'src',
  project: 'composer.json',
  write: (content) => ({
    ...writeTags(content),
    'Operations.php': writeClass(content),
    'Client.php': readFileSync(join(import.meta.dirname, 'src/Client.php'), 'utf8').replace(
      ' * {groups}',
      () => groupTags(content),
    ),
  }),
});
