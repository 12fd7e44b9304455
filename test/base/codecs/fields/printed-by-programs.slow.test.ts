import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTimeInput } from '../../../../src/base/codecs/fields/date-time.ts';
import { offsetAt } from '../../../../src/base/codecs/fields/local-time.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';

/**
 * Programs that read `[milliseconds, zone]` and print, for each, all that their language makes of
 * the instant by default.
 */
const programs: Record<string, { command: string[]; file: string; code: string }> = {
  python: {
    command: ['python3'],
    file: 'print.py',
    code: `
import datetime, email.utils, json, sys, zoneinfo
def texts(ms, zone):
    at = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(milliseconds=ms)
    local = at.astimezone(zoneinfo.ZoneInfo(zone))
    bare = local.replace(tzinfo=None)
    return [str(at), str(local), at.isoformat(), local.isoformat(), str(bare), bare.isoformat(), bare.ctime(),
        bare.isoformat(timespec="minutes"), email.utils.format_datetime(local), email.utils.formatdate(ms / 1000),
        local.strftime("%Y-%m-%d %H:%M:%S.%f%z"), local.strftime("%Y%m%dT%H%M%S%z")]
print(json.dumps([texts(*pair) for pair in json.loads(sys.stdin.read())]))`,
  },
  php: {
    command: ['php'],
    file: 'print.php',
    code: `<?php
foreach (json_decode(stream_get_contents(STDIN)) as [$ms, $zone]) {
    $utc = DateTimeImmutable::createFromFormat('U.v', sprintf('%d.%03d', intdiv($ms, 1000), $ms % 1000));
    $at = $utc->setTimezone(new DateTimeZone($zone));
    $formats = [DATE_ATOM, DATE_COOKIE, DATE_ISO8601, DATE_RFC1123, DATE_RFC2822, DATE_RFC3339_EXTENDED, DATE_RSS, 'c', 'r', 'Y-m-d H:i:s', 'Y-m-d\\TH:i:s.uP', 'Y-m-d H:i'];
    // Letters in place of an offset are refused.
    $isRead = fn (string $text): bool => !preg_match('/\\d [A-Z]{3,5}$/', $text) || str_ends_with($text, ' UTC');
    $texts = array_filter(array_map($at->format(...), $formats), $isRead);
    $all[] = [...array_values($texts), $utc->format(DATE_RFC7231), $at, $utc, new DateTime($at->format(DATE_RFC3339_EXTENDED))];
}
echo json_encode($all);`,
  },
  ruby: {
    command: ['ruby', '-rjson', '-rtime', '-rdate'],
    file: 'print.rb',
    code: `
puts JSON.generate(JSON.parse(STDIN.read).map { |ms, zone|
  ENV['TZ'] = zone
  at = Time.at(ms / 1000, ms % 1000, :millisecond)
  [at, at.getutc].flat_map { |time|
    [time.to_s, time.inspect, time.iso8601, time.iso8601(9), time.rfc2822, time.httpdate, time.to_datetime.to_s, time.to_datetime.iso8601(3)]
  } + [at.ctime, at.strftime('%F %T'), at.strftime('%FT%T.%L%z')]
})`,
  },
  node: {
    command: [process.execPath],
    file: 'print.mjs',
    code: `
import { text } from 'node:stream/consumers';
const all = JSON.parse(await text(process.stdin)).map(([ms, zone]) => {
  process.env.TZ = zone;
  const at = new Date(ms);
  return [String(at), at.toUTCString(), at.toISOString(), at.toJSON(), at.toLocaleString('sv')];
});
console.log(JSON.stringify(all));`,
  },
  java: {
    command: ['java'],
    file: 'Print.java',
    code: `
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
public class Print {
    public static void main(String[] args) {
        StringJoiner all = new StringJoiner(",", "[", "]");
        var matcher = java.util.regex.Pattern.compile("\\\\[(\\\\d+),\\"([^\\"]+)\\"\\\\]").matcher(new Scanner(System.in).useDelimiter("\\\\A").next());
        while (matcher.find()) {
            Instant at = Instant.ofEpochMilli(Long.parseLong(matcher.group(1)));
            ZonedDateTime local = at.atZone(ZoneId.of(matcher.group(2)));
            TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
            List<Object> texts = List.of(at, at.plusNanos(456789), local, local.toOffsetDateTime(), local.toLocalDateTime(),
                local.format(DateTimeFormatter.RFC_1123_DATE_TIME), local.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME),
                Date.from(at), java.text.DateFormat.getDateTimeInstance(2, 2, Locale.US).format(Date.from(at)) + " UTC",
                java.sql.Timestamp.from(at) + "Z");
            StringJoiner one = new StringJoiner("\\",\\"", "[\\"", "\\"]");
            texts.forEach(text -> one.add(text.toString()));
            all.add(one.toString());
        }
        System.out.println(all);
    }
}`,
  },
};

const isHere = (command: string) => spawnSync(command, ['-version']).error === undefined;

const zones = ['America/Sao_Paulo', 'America/New_York', 'Europe/Paris', 'Asia/Kolkata', 'UTC'];

describe('what a real program prints for an instant', () => {
  it.for(Object.entries(programs))('comes back as it from %s', ([, program], { skip }) => {
    const [command = '', ...options] = program.command;
    skip(!isHere(command), `there is no ${command} here`);
    const instants = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2037, 0) });
    const sent = fc.sample(fc.tuple(instants, fc.constantFrom(...zones)), 1_000);
    const folder = mkdtempSync(join(tmpdir(), 'printed-'));
    const file = join(folder, program.file);
    writeFileSync(file, program.code);
    const { stdout, stderr } = spawnSync(command, [...options, file], {
      input: JSON.stringify(sent),
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    rmSync(folder, { recursive: true });
    expect(stderr).toBe('');
    const printed = JSON.parse(stdout) as unknown[][];
    expect(printed).toHaveLength(sent.length);
    for (const [index, texts] of printed.entries()) {
      const [at, zone] = sent[index]!;
      for (const text of texts) {
        const found = runInZone(zone, () => dateTimeInput.safeParse(text));
        const what = `${JSON.stringify(text)} of ${at} in ${zone}`;
        expect(found.success, what).toBe(true);
        const read = found.data ?? Number.NaN;
        // Some forms leave milliseconds or seconds out, and a local time that occurs twice means
        // the first.
        const lost = at - read - (offsetAt(read, zone) - offsetAt(at, zone));
        const unit = /:\d\d:\d\d|T\d{6}/.test(JSON.stringify(text)) ? 1_000 : 60_000;
        expect([0, at % 1_000, at % 60_000], what).toContain(lost);
        expect(lost, what).toBeLessThan(unit);
      }
    }
  });
});
