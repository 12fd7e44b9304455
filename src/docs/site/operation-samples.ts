import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { sampleLanguages, type Sample } from '../build/samples.ts';
import type { LocatedOperation } from './reference-index.ts';

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the samples of an operation: the curl command, and those of the document. */
export function samplesOfOperation(document: OpenApiDocument, located: LocatedOperation): Sample[] {
  const listed = located.operation['x-codeSamples'] ?? [];
  const samples = listed.flatMap(({ lang, source }) => {
    const name = lang.toLowerCase();
    const language = sampleLanguages.find(
      ({ label, key }) => key === name || label.toLowerCase() === name,
    );
    return language ? [{ ...language, code: source }] : [];
  });
  if (samples.some(({ key }) => key === 'curl')) return samples;
  const [curl] = sampleLanguages;
  return [{ ...curl, code: curlCommand(document, located) }, ...samples];
}

/** Returns the curl command that calls an operation with an API key. */
function curlCommand(document: OpenApiDocument, { method, path, operation }: LocatedOperation) {
  const base = (operation.servers ?? document.servers)[0]?.url ?? '';
  const url =
    base +
    path.replace('{alias}', '{{store}}').replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      if (whole === '{{store}}' || name === 'store') return whole;
      const parameter = operation.parameters?.find((one) => 'name' in one && one.name === name);
      const example = parameter && 'example' in parameter ? parameter.example : undefined;
      return String(example ?? 1);
    });
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`];
  const needsKey = (operation.security ?? document.security).some((one) => 'userToken' in one);
  if (needsKey) {
    const holder = path.startsWith('/operator/') ? 'operator' : 'user';
    parts.push(
      `-H 'User-Token: {{${holder}_token}}'`,
      `-H 'User-Secret-Key: {{${holder}_secret}}'`,
    );
  }
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (type !== undefined && body?.example !== undefined) {
    if (type === 'application/x-www-form-urlencoded') {
      const fields = Object.entries(body.example as Record<string, unknown>);
      parts.push(
        ...fields.map(
          ([name, value]) => `--data-urlencode ${shellQuote(`${name}=${String(value)}`)}`,
        ),
      );
    } else {
      const text = typeof body.example === 'string' ? body.example : JSON.stringify(body.example);
      const flag = typeof body.example === 'string' ? '--data-binary' : '-d';
      parts.push(`-H 'Content-Type: ${type}'`, `${flag} ${shellQuote(text)}`);
    }
  }
  return parts.join(' \\\n  ');
}
