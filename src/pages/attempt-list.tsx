import { answerText } from './answer-text.ts';
import { milliseconds } from './milliseconds.ts';
import { MomentText } from './moment-text.tsx';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** One try of a delivery. */
export interface ShownAttempt {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  code: number | null;
  error: string | null;
  durationMs: number;
  headers: Readonly<Record<string, string>> | null;
  /** The beginning of what the receiver answered; `null` when nothing of it is kept. */
  answer: { text: string; encoding: 'utf-8' | 'base64'; truncated: boolean } | null;
}

interface Format {
  language: Language;
  zone: string;
}

/** The tries of a delivery, each with its answer. */
export const AttemptList = ({
  attempts,
  ...format
}: Format & { attempts: readonly ShownAttempt[] }) => {
  const { deliveries: said } = wordsOf(format.language);
  if (attempts.length === 0) return <p>{said.noTries}</p>;
  return (
    <table>
      <caption>{said.triesCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{said.attempt}</th>
          <th scope="col">{said.at}</th>
          <th scope="col">{said.duration}</th>
          <th scope="col">{said.answer}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr>
            <th scope="row">
              <span class="in-card">{said.attempt} </span>
              {attempt.number}
            </th>
            <td data-label={said.at}>
              <MomentText {...format} at={attempt.at} />
            </td>
            <td data-label={said.duration}>{milliseconds(attempt.durationMs, format.language)}</td>
            <td data-label={said.answer}>
              {answerText(attempt, format.language)}
              <Answered attempt={attempt} language={format.language} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Answered = ({
  attempt: { headers, answer },
  language,
}: {
  attempt: ShownAttempt;
  language: Language;
}) => {
  const said = wordsOf(language).deliveries;
  if (answer === null && headers === null) return null;
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>{said.answered}</summary>
      {lines.length > 0 && <pre aria-label={said.headers}>{lines.join('\n')}</pre>}
      {answer?.text === '' && <p>{said.emptyAnswer}</p>}
      {answer && answer.text !== '' && <pre>{answer.text}</pre>}
      {answer?.encoding === 'base64' && <p class="muted">{said.binary}</p>}
      {answer?.truncated && <p class="muted">{said.cut}</p>}
    </details>
  );
};
