import { sql } from 'drizzle-orm';
import { dayMs, isMinuteOfHour } from '../base/durations.ts';
import type { Language } from '../base/languages.ts';
import { log } from '../base/log.ts';
import { changelogFilePath } from '../base/page-paths.ts';
import { settingsOf } from '../base/settings.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { users } from '../data/schema/directory/directory-tables.ts';
import { insertMailToChosen, prepareMail, wakeMail } from './outbox.ts';

/** A day of the changelog: the beginnings of its entries that concern partners, in each language. */
export interface ChangelogDay {
  day: string;
  titles: Readonly<Record<Language, readonly string[]>>;
}

/** The entries that a mail names. */
const maxTitles = 12;

/** Users of one batch, and batches of one run; the rest waits for the next hour. */
const [stepSize, maxSteps] = [200, 20];

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Reads the days that are over, newest first, since a later release may still add to the present one. */
async function readDays({ ASSETS }: Env, now: number): Promise<ChangelogDay[]> {
  const response = await ASSETS.fetch(`https://assets.invalid/${changelogFilePath}`);
  if (!response.ok) throw new Error(`${changelogFilePath}: ${response.status}`);
  const days: ChangelogDay[] = await response.json();
  return days.filter(({ day }) => day < dayOf(now));
}

/** The day from which on entries are new to a user who asks for them now. */
export async function newestChangelogDay(env: Env, now: number): Promise<string> {
  const [newest] = await readDays(env, now);
  return newest?.day ?? dayOf(now - dayMs);
}

/**
 * Mails the changelog to the users who asked for it, once for all days that are over. Cron calls it every minute; it
 * works once an hour. Never rejects: the next hour goes on where this one ended.
 */
export async function mailChangelog(env: Env, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 17)) return;
  try {
    await mailNewDays(env, now);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'changelog_mail_failed', { alert: true, message });
  }
}

/**
 * One round trip if nothing is new, else one for each 200 users more. A batch writes mails with the
 * day that their users know then. So each gets one, also from a run that is cut off or not alone.
 */
async function mailNewDays(env: Env, now: number): Promise<void> {
  const days = await readDays(env, now);
  const newest = days[0]?.day;
  if (newest === undefined) return;
  const directory = openDatabase(env.DIRECTORY);
  const look = rawDatabaseStatement<{ known: string | null }>(
    directory,
    sql`select min(changelog_day) as known from ${users} where changelog_day < ${newest}`,
  );
  let [[row]] = await directory.batch([look]);
  for (let step = 0; step < maxSteps && row?.known != null; step += 1) {
    const { known } = row;
    const fresh = days.filter(({ day }) => day > known);
    const mail = await prepareMail(settingsOf(env), {
      kind: 'changelog',
      data: { day: newest, titles: titlesOf(fresh) },
      key: `changelog-${newest}`,
    });
    const chosen = sql`(select id from ${users} where changelog_day = ${known} order by id limit ${stepSize})`;
    [, , [row]] = await directory.batch([
      insertMailToChosen(directory, mail, chosen, now),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set changelog_day = ${newest} where id in ${chosen}`,
      ),
      look,
    ]);
    await wakeMail(env);
  }
}

const titlesOf = (days: readonly ChangelogDay[]): ChangelogDay['titles'] => {
  const inLanguage = (language: Language) => {
    const titles = days.flatMap((day) => day.titles[language]);
    return titles.length > maxTitles ? [...titles.slice(0, maxTitles), '…'] : titles;
  };
  return { en: inLanguage('en'), 'pt-BR': inLanguage('pt-BR'), es: inLanguage('es') };
};
