/** One line of an iCalendar object before it is written: a name with its parameters, and a value that is escaped already. */
export type Property = readonly [name: string, value: string];

const maxOctets = 75;

/** TEXT values carry backslash, semicolon, comma and line breaks escaped (RFC 5545, 3.3.11); other controls are left out. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');

/** Lines of at most 75 octets, cut between characters; a continuation begins with a space (RFC 5545, 3.1). */
export const foldLine = (line: string): string => {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
};

/** The lines of an iCalendar stream, each ended by CRLF. */
export const calendarText = (properties: readonly Property[]): string =>
  properties.map(([name, value]) => `${foldLine(`${name}:${value}`)}\r\n`).join('');

/** A local date or datetime, or an instant, in the basic form: 20270204, 20270204T140000, 20270204T070000Z. */
export const basicForm = (text: string): string => text.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
