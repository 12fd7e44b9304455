import type { Language } from '../../base/languages.ts';
import { FormattedTime, formatMilliseconds } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { formatResult } from './webhook-texts.tsx';

/** One attempt of a delivery. */
export interface AttemptView {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  responseHeaders: Readonly<Record<string, string>> | null;
  /** The beginning of the response body; `null` if none is stored. */
  responseBody: { text: string; encoding: 'utf-8' | 'base64'; truncated: boolean } | null;
}

interface Format {
  language: Language;
  zone: string;
}

/** The attempts of a delivery, each with its response. */
export const AttemptList = ({
  attempts,
  ...format
}: Format & { attempts: readonly AttemptView[] }) => {
  const { deliveries: t } = messagesFor(format.language);
  if (attempts.length === 0) return <p>{t.noAttempts}</p>;
  return (
    <table>
      <caption>{t.attemptsCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.attempt}</th>
          <th scope="col">{t.at}</th>
          <th scope="col">{t.duration}</th>
          <th scope="col">{t.response}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr>
            <th scope="row">
              <span class="in-card">{t.attempt} </span>
              {attempt.number}
            </th>
            <td data-label={t.at}>
              <FormattedTime {...format} at={attempt.at} hasSeconds />
            </td>
            <td data-label={t.duration}>
              {formatMilliseconds(attempt.durationMs, format.language)}
            </td>
            <td data-label={t.response}>
              {formatResult(attempt, format.language)}
              <ResponseDetails attempt={attempt} language={format.language} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const ResponseDetails = ({
  attempt: { responseHeaders, responseBody },
  language,
}: {
  attempt: AttemptView;
  language: Language;
}) => {
  const t = messagesFor(language).deliveries;
  if (responseBody === null && responseHeaders === null) return null;
  const lines = Object.entries(responseHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>{t.responseStart}</summary>
      {lines.length > 0 && <pre aria-label={t.headers}>{lines.join('\n')}</pre>}
      {responseBody?.text === '' && <p>{t.emptyResponse}</p>}
      {responseBody && responseBody.text !== '' && <pre>{responseBody.text}</pre>}
      {responseBody?.encoding === 'base64' && <p class="muted">{t.binary}</p>}
      {responseBody?.truncated && <p class="muted">{t.truncated}</p>}
    </details>
  );
};
