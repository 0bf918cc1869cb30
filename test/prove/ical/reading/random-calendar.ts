import { seeded } from '../../schedule/virtual.ts';
import type { Home } from './taken-hours.ts';

type Random = () => number;
const below = (random: Random, end: number): number => Math.floor(random() * end);
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value;

const dayMs = 86_400_000;
const minuteMs = 60_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Days around the four changes of the clocks in Europe and North America, and in between. */
const anchors = ['2027-03-09', '2027-03-23', '2027-06-15', '2027-10-26', '2027-11-02', '2028-02-24'];
const homes: Home[] = [
  { timezone: 'Asia/Ho_Chi_Minh' },
  { timezone: 'Europe/Berlin' },
  { timezone: 'America/New_York' },
  { timezone: 'Asia/Ho_Chi_Minh', standard_check_in_time: '15:30:00', standard_check_out_time: '10:30:00' },
];

/** How an event writes its times. */
const forms = [
  'date',
  'date',
  'floating',
  'utc',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Ho_Chi_Minh',
  'W. Europe Standard Time',
  'Eastern Standard Time',
  'SE Asia Standard Time',
  'Company/Summer',
  'Company/Fixed',
] as const;
type Form = (typeof forms)[number];

/** Zones that only their description explains: one with summer time of its own, one without. */
const described = [
  ...['BEGIN:VTIMEZONE', 'TZID:Company/Summer'],
  ...['BEGIN:STANDARD', 'DTSTART:20001029T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'],
  ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:20000326T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
  ...['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ...['BEGIN:VTIMEZONE', 'TZID:Company/Fixed', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:-0330', 'TZOFFSETTO:-0330', 'END:STANDARD', 'END:VTIMEZONE'],
];

/** Wall-clock time as if it were UTC: how a form writes it, and nothing more. */
const dateText = (wall: number): string => new Date(wall).toISOString().slice(0, 10).replaceAll('-', '');
const timeText = (wall: number): string => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

const valueOf = (form: Form, wall: number): string =>
  form === 'date' ? dateText(wall) : `${timeText(wall)}${form === 'utc' ? 'Z' : ''}`;
const paramsOf = (form: Form): string => {
  if (form === 'date') return ';VALUE=DATE';
  return form === 'floating' || form === 'utc' ? '' : `;TZID=${form}`;
};
const written = (name: string, form: Form, wall: number, params = ''): string =>
  `${name}${params}${paramsOf(form)}:${valueOf(form, wall)}`;

interface Event {
  uid: string;
  form: Form;
  start: number;
  /** Days between two occurrences, if it is a simple series. */
  every: number | undefined;
}

const lengthOf = (random: Random, form: Form, start: number): string[] => {
  const end = (ms: number) => written('DTEND', form, start + ms);
  if (form === 'date')
    return pick(random, [
      [],
      [end(dayMs)],
      [end(below(random, 5) * dayMs)],
      [`DURATION:P${1 + below(random, 4)}D`],
    ]);
  const ms = pick(random, [15, 30, 60, 90, 150, 480, 1439, 1440, 2880]) * minuteMs;
  return pick(random, [
    [end(ms)],
    [end(ms)],
    [end(ms)],
    [`DURATION:${ms % dayMs === 0 ? `P${ms / dayMs}D` : `PT${ms / minuteMs}M`}`],
    [],
  ]);
};

const startTime = (random: Random, form: Form): number =>
  form === 'date' ? 0 : pick(random, [0, 0, 90, 150, 480, 810, 840, 1050, 1380, 1410]) * minuteMs;

const ruleOf = (random: Random, form: Form, start: number): { rule: string; every: number | undefined } => {
  const day = weekdays[new Date(start).getUTCDay()] ?? 'MO';
  const interval = pick(random, [1, 1, 2, 3]);
  const ordinal = Math.ceil(new Date(start).getUTCDate() / 7);
  const [base, days, steps] = pick(random, [
    ['FREQ=DAILY', 1, 1],
    ['FREQ=WEEKLY', 7, 1],
    [`FREQ=WEEKLY;BYDAY=${[...new Set([day, pick(random, weekdays)])].join(',')}`, 7, 2],
    [
      `FREQ=WEEKLY;WKST=${pick(random, ['SU', 'MO'])};BYDAY=${[...new Set([day, pick(random, weekdays)])].join(',')}`,
      7,
      2,
    ],
    ['FREQ=MONTHLY', 30, 2],
    [`FREQ=MONTHLY;BYMONTHDAY=${new Date(start).getUTCDate()},${pick(random, [1, 15, 31, -1])}`, 30, 2],
    [`FREQ=MONTHLY;BYDAY=${ordinal}${day}`, 30, 2],
    [`FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1`, 30, 3],
    ['FREQ=YEARLY', 365, 2],
    [`FREQ=YEARLY;BYMONTH=${new Date(start).getUTCMonth() + 1},12`, 365, 2],
    [`FREQ=DAILY;BYMONTH=3,4,10,11`, 1, 2],
  ] as const);
  const isSynchronous = !base.includes('SETPOS') && !base.includes('3,4');
  const last = start + (1 + below(random, 12)) * days * interval * dayMs;
  const until = {
    own: form === 'date' ? dateText(last) : `${timeText(last + 12 * 60 * minuteMs)}Z`,
    exchange: `${timeText(last + pick(random, [7, 17, 23]) * 60 * minuteMs)}Z`,
    date: dateText(last),
  }[pick(random, ['own', 'own', 'exchange', 'date'] as const)];
  const ends = [`;UNTIL=${until}`, ...(isSynchronous ? [`;COUNT=${1 + below(random, 12)}`] : []), ''];
  return {
    rule: `RRULE:${base}${interval > 1 ? `;INTERVAL=${interval}` : ''}${pick(random, ends)}`,
    every: steps === 1 ? days * interval : undefined,
  };
};

/** The nth occurrence of a simple series; of others a guess, which may be none. */
const nth = ({ start, every = 7 }: Event, n: number): number => start + n * every * dayMs;

const addedDates = (random: Random, event: Event): string[] => {
  const { form, start } = event;
  const lines: string[] = [];
  if (random() < 0.3) lines.push(written('EXDATE', form, nth(event, 1 + below(random, 4))));
  if (random() < 0.1) lines.push(written('EXDATE', 'date', nth(event, 1 + below(random, 4))));
  if (random() < 0.15) lines.push(written('RDATE', form, start + (1 + below(random, 40)) * dayMs));
  // The independent reader takes two occurrences on one day for the same one.
  const { every = 0 } = event;
  if (form !== 'date' && every > 1 && random() < 0.15) {
    const from = start + (every * below(random, 5) + 1) * dayMs + 60 * minuteMs;
    const until = pick(random, ['PT30M', 'PT5H', valueOf(form, from + 26 * 60 * minuteMs)]);
    lines.push(`RDATE;VALUE=PERIOD${paramsOf(form)}:${valueOf(form, from)}/${until}`);
  }
  return lines;
};

const component = (...lines: string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

const exceptionOf = (random: Random, event: Event, n: number): string[] => {
  const { uid, form } = event;
  const replaced = nth(event, n);
  const asOther =
    form !== 'date' ? undefined : pick(random, [undefined, undefined, 'Asia/Ho_Chi_Minh' as const]);
  const range = event.every !== undefined && random() < 0.4 ? ';RANGE=THISANDFUTURE' : '';
  const moved =
    replaced +
    pick(random, [0, 1, -1, 3]) * dayMs +
    (form === 'date' ? 0 : pick(random, [0, 60, -90]) * minuteMs);
  return component(
    `UID:${uid}`,
    written('RECURRENCE-ID', asOther ?? form, replaced, range),
    written('DTSTART', form, moved),
    ...lengthOf(random, form, moved),
    ...(random() < 0.2 ? [pick(random, ['STATUS:CANCELLED', 'TRANSP:TRANSPARENT'])] : []),
    ...(random() < 0.3 ? [`SEQUENCE:${1 + below(random, 3)}`] : []),
  );
};

const eventsOf = (random: Random, uid: string, anchor: number): string[] => {
  const form = pick(random, forms);
  const start = anchor + below(random, 12) * dayMs + startTime(random, form);
  const { rule, every } = ruleOf(random, form, start);
  const event = { uid, form, start, every };
  const isSeries = random() < 0.55;
  const main = (sequence: string[], from: number) =>
    component(
      `UID:${uid}`,
      written('DTSTART', form, from),
      ...lengthOf(random, form, from),
      ...sequence,
      ...(isSeries ? [rule] : []),
      ...(isSeries || random() < 0.2 ? addedDates(random, event) : []),
      ...(random() < 0.1
        ? [pick(random, ['STATUS:CANCELLED', 'STATUS:TENTATIVE', 'TRANSP:TRANSPARENT', 'TRANSP:OPAQUE'])]
        : []),
    );
  if (random() < 0.1) {
    const versions = [
      main(['SEQUENCE:2'], start),
      main([pick(random, ['SEQUENCE:0', 'SEQUENCE:1'])], start + 2 * dayMs),
    ];
    return (random() < 0.5 ? versions : versions.toReversed()).flat();
  }
  const replaced = isSeries ? new Set([below(random, 5), below(random, 5)].slice(below(random, 3))) : [];
  const exceptions = [...replaced].map((n) => exceptionOf(random, event, n));
  return (random() < 0.2 ? [...exceptions, main([], start)] : [main([], start), ...exceptions]).flat();
};

const freeAndBusy = (random: Random, uid: string, anchor: number): string[] => {
  const periods = Array.from({ length: 1 + below(random, 3) }, () => {
    const from = anchor + below(random, 12 * 48) * 30 * minuteMs;
    const until = pick(random, [
      `${timeText(from + below(random, 4000) * minuteMs + minuteMs)}Z`,
      'PT30M',
      'P2D',
    ]);
    return `${timeText(from)}Z/${until}`;
  });
  const type = pick(random, ['', ';FBTYPE=BUSY', ';FBTYPE=BUSY-UNAVAILABLE', ';FBTYPE=FREE']);
  return ['BEGIN:VFREEBUSY', `UID:${uid}`, `FREEBUSY${type}:${periods.join(',')}`, 'END:VFREEBUSY'];
};

/** A line of more than 60 characters in two, as RFC 5545 (3.1) folds it. */
const folded = (line: string): string =>
  line.length > 60 ? `${line.slice(0, 60)}\r\n ${line.slice(60)}` : line;

interface RandomCalendar {
  text: string;
  home: Home;
  now: number;
}

/** A calendar as other programs write it, a listing that follows it, and the moment at which it is read. */
export const randomCalendar = (seed: number): RandomCalendar => {
  const random = seeded(seed);
  const anchor = Date.parse(`${pick(random, anchors)}T00:00:00Z`);
  const count = 1 + below(random, 3);
  const events = Array.from({ length: count }, (_, at) => eventsOf(random, `${seed}-${at}`, anchor)).flat();
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//random//EN'],
    ...(random() < 0.25
      ? [`X-WR-TIMEZONE:${pick(random, ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])}`]
      : []),
    ...described,
    ...events,
    ...(random() < 0.15 ? freeAndBusy(random, `${seed}-busy`, anchor) : []),
    'END:VCALENDAR',
  ];
  return {
    text: `${lines.map(folded).join('\r\n')}\r\n`,
    home: pick(random, homes),
    now: anchor + pick(random, [-1, -1, 6, 20]) * dayMs + below(random, 24) * 60 * minuteMs,
  };
};
