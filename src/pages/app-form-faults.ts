import type { FormProblem } from './form-fields.tsx';
import type { Words } from './words/en.ts';

/** Something wrong with a form about an app. */
export type AppFault =
  | { field: 'name' | 'publisher' | 'redirect_uris' | 'scopes'; kind: Sentence }
  | { field: 'redirect_uris'; kind: 'uri'; line: number; problem: keyof Words['partners']['uris'] }
  | { field?: undefined; kind: 'tooMany' };

type Sentence =
  | `${'name' | 'publisher'}${'Missing' | 'Long'}`
  | 'urisMissing'
  | 'urisMany'
  | 'scopesMissing'
  | 'scopesUnknown';

/** It in words. */
export function faultText(fault: AppFault, { form, uris }: Words['partners']): FormProblem {
  if (fault.kind === 'uri') {
    const text = form.line
      .replace('{line}', String(fault.line))
      .replace('{problem}', uris[fault.problem]);
    return { field: fault.field, text };
  }
  const text = form[fault.kind];
  return fault.field === undefined ? { text } : { field: fault.field, text };
}
