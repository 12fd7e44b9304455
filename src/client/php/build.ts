import type { MethodRow } from '../../http/openapi/operation-table.ts';
import { buildPackage, lettersOf } from '../build-package.ts';

/** Writes a text of ASCII without quotes or backslashes, as paths, names and addresses are, as PHP does. */
const quote = (text: string) => `'${text}'`;

/** Writes the class with the table: a constant array, which PHP keeps between requests. */
function writeClass(rows: readonly MethodRow[], defaultUrl: string): string {
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
    public const DEFAULT_URL = ${quote(defaultUrl)};

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
  table: ['Operations.php', writeClass],
});
