import { FieldTable } from './field-table.tsx';
import type { RecordDoc, SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/** The list of all records, folded by their first letter: there are hundreds. */
export const RecordsPage = ({
  site,
  records,
}: {
  site: SiteProps;
  records: readonly RecordDoc[];
}) => (
  <SiteLayout {...site}>
    <h1>{site.title}</h1>
    <p>The objects in requests, responses and events, and the values of their enums.</p>
    {Object.entries(Object.groupBy(records, ({ name }) => name.charAt(0))).map(
      ([letter, some = []]) => (
        <details class="letter">
          <summary>
            <strong>{letter}</strong>{' '}
            <span class="muted">
              {some[0]?.name}
              {some.length > 1 && ` to ${some.at(-1)?.name}`}
            </span>
          </summary>
          <RecordList records={some} />
        </details>
      ),
    )}
  </SiteLayout>
);

const RecordList = ({ records }: { records: readonly RecordDoc[] }) => (
  <ul class="operations">
    {records.map(({ name, path, description }) => (
      <li>
        <a href={path}>{name.length > phoneLine ? <Breakable name={name} /> : name}</a>
        {/* The first sentence; the page of the record has the others. */}
        <span class="route">{description.split(/(?<=\.) /, 1)}</span>
      </li>
    ))}
  </ul>
);

/** The longest name, in letters, that surely fits a line of a phone. */
const phoneLine = 24;

/** A name that a phone breaks between its words only. */
const Breakable = ({ name }: { name: string }) => (
  <span>
    {name.split(/(?=[A-Z])/).map((word, index) => (
      <>
        {index > 0 && <wbr />}
        {word}
      </>
    ))}
  </span>
);

/** One record with its fields, or an enum with its values. */
export const DocsRecordPage = ({ site, record }: { site: SiteProps; record: RecordDoc }) => (
  <SiteLayout {...site}>
    <h1>{record.name}</h1>
    {record.description !== '' && <p>{record.description}</p>}
    {record.fields.length > 0 && (
      <FieldTable caption={record.name} fields={record.fields} isRecord />
    )}
    {record.values.length > 0 && (
      <dl class="values">
        {record.values.map(({ value, meaning }) => (
          <>
            <dt>
              <code>{value}</code>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    )}
  </SiteLayout>
);
