import { createHash } from 'node:crypto';
/** The reason why a calendar of another platform is not imported, as shown to the host. */
export class FeedProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FeedProblem';
  }
}

/** A property of a component; only properties about time are read. */
export interface FeedProperty {
  /** Names in upper case. */
  name: string;
  params: Record<string, string>;
  value: string;
}

export interface FeedComponent {
  name: string;
  properties: FeedProperty[];
  children: FeedComponent[];
}

/** All other properties, such as addresses of guests, are skipped. */
const wanted = new Set([
  'BEGIN',
  'END',
  'UID',
  'SUMMARY',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'FREEBUSY',
  'RECURRENCE-ID',
  'SEQUENCE',
  'STATUS',
  'TRANSP',
  'TZID',
  'TZOFFSETTO',
  'X-LIC-LOCATION',
  'X-WR-TIMEZONE',
]);

const deepest = 8;
const longestLine = 64 * 1024;
/** Of a SUMMARY the rest is omitted. */
const longestText = 4 * 1024;
const longestParams = 2048;

/**
 * The calendars of an iCalendar stream (RFC 5545) as trees of the properties that matter, read once from front to end. A
 * stream that ends in the middle is refused: what is missing would look cancelled.
 */
export const readComponents = (text: string): FeedComponent[] => {
  const root: FeedComponent = { name: '', properties: [], children: [] };
  const open = [root];
  for (const line of wantedLines(text)) {
    const property = propertyOf(line);
    if (property === undefined) continue;
    const current = open.at(-1) ?? root;
    const named = property.value.trim().toUpperCase();
    if (property.name === 'BEGIN') {
      if (open.length > deepest) throw new FeedProblem('is nested too deeply');
      if (open.length === 1 && named !== 'VCALENDAR') throw noCalendar();
      const child: FeedComponent = { name: named, properties: [], children: [] };
      current.children.push(child);
      open.push(child);
    } else if (property.name === 'END') {
      if (named !== current.name || open.length === 1)
        throw new FeedProblem(`has an END:${named.slice(0, 40)} too many`);
      open.pop();
    } else if (open.length > 1) current.properties.push(property);
    else throw noCalendar();
  }
  if (root.children.length === 0) throw noCalendar();
  if (open.length > 1) throw new FeedProblem('ends in the middle');
  return root.children;
};

/** Returns a hash of the lines of a calendar that are read: others, such as its time stamps, may differ at each fetch. */
export const fingerprintOf = (text: string): string => {
  const hash = createHash('sha256');
  for (const line of wantedLines(text)) hash.update(line).update('\n');
  return hash.digest('base64url').slice(0, 16);
};

const noCalendar = () => new FeedProblem('is not an iCalendar: it does not begin with BEGIN:VCALENDAR');

/** Unfolded lines (a line that begins with a space or tab goes on from the one before) that begin with a wanted name. */
function* wantedLines(text: string): Generator<string> {
  let line: string[] | undefined;
  let length = 0;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at <= text.length) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const raw = text.slice(at, text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    at = stop + 1;
    if (raw.startsWith(' ') || raw.startsWith('\t')) {
      if (!line) continue;
      if (isText(line) && length > longestText) continue;
      length += raw.length;
      if (length > longestLine) throw new FeedProblem('has a line that is too long');
      line.push(raw.slice(1));
    } else {
      if (line) yield line.join('');
      const shown = isText([raw]) ? raw.slice(0, longestText) : raw;
      line = isWanted(shown) ? [shown] : undefined;
      length = shown.length;
      if (line && length > longestLine) throw new FeedProblem('has a line that is too long');
    }
  }
  if (line) yield line.join('');
}

const isText = ([first = '']: readonly string[]): boolean => /^SUMMARY[:;]/i.test(first);
const isWanted = (raw: string): boolean => wanted.has((/^[\w-]{1,20}/.exec(raw)?.[0] ?? '').toUpperCase());

const propertyOf = (line: string): FeedProperty | undefined => {
  const head = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):/.exec(
    line.slice(0, longestParams),
  );
  if (!head) return undefined;
  const [all, name = '', params = ''] = head;
  const pairs = [...params.matchAll(/;([\w-]+)=(?:"([^"]*)"|([^";:,]*))/g)];
  return {
    name: name.toUpperCase(),
    params: Object.fromEntries(
      pairs.map(([, key = '', quoted, plain]) => [key.toUpperCase(), quoted ?? plain ?? '']),
    ),
    value: line.slice(all.length),
  };
};
