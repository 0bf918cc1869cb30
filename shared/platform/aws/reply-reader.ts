/** A whole reply, as it came. */
export interface Reply {
  status: number;
  /** Names in lower case. The values of a name that is repeated are joined by commas. */
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
}

export const header = ({ headers }: Reply, name: string): string | undefined => headers[name];

interface Head {
  status: number;
  headers: Record<string, string>;
  /** Whether the connection may be used again. */
  isKept: boolean;
  /** How the end of the body is known: by its length, by its chunks, or by the end of the connection. */
  body: number | 'chunked' | 'until-end';
}

/** Of a head, and of a line between chunks, in bytes. */
const longestText = 64 * 1024;
const none = Buffer.alloc(0);

/** Reads one reply of HTTP/1.1 (RFC 9112) from the bytes of a connection, in whatever pieces they come. */
export class ReplyReader {
  #head: Head | undefined;
  /** What is neither read as head nor as body. */
  #unread: Buffer = none;
  readonly #body: Buffer[] = [];
  /** The bytes that the body, or its present chunk, still lacks. */
  #missing = 0;
  #part: 'size' | 'data' | 'data-end' | 'trailer' = 'size';

  /** Whether the connection may take another request after this reply. */
  get isKept(): boolean {
    return this.#head?.isKept === true && this.#head.body !== 'until-end';
  }

  /**
   * Takes further bytes and returns the reply when its last byte is there.
   * @throws where the bytes are no reply, or more than one.
   */
  read(bytes: Buffer): Reply | undefined {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    const head = (this.#head ??= this.#takeHead());
    if (!head || !(head.body === 'chunked' ? this.#takeChunks() : this.#takeBody(head))) return undefined;
    if (this.#unread.length > 0) throw malformed('bytes follow its body');
    return this.#whole(head);
  }

  /** Returns the reply that the end of its connection completes, if it does. */
  end(): Reply | undefined {
    return this.#head?.body === 'until-end' ? this.#whole(this.#head) : undefined;
  }

  #whole({ status, headers }: Head): Reply {
    const [only = none] = this.#body;
    return { status, headers, text: (this.#body.length <= 1 ? only : Buffer.concat(this.#body)).toString() };
  }

  /** Interim replies (1xx) precede the one that counts. */
  #takeHead(): Head | undefined {
    for (let text = this.#takeText('\r\n\r\n'); text !== undefined; text = this.#takeText('\r\n\r\n')) {
      const head = headOf(text);
      if (head.status < 200) continue;
      this.#missing = typeof head.body === 'number' ? head.body : 0;
      return head;
    }
    return undefined;
  }

  #takeBody({ body }: Head): boolean {
    this.#takeData(body === 'until-end' ? this.#unread.length : this.#missing);
    return body !== 'until-end' && this.#missing === 0;
  }

  #takeData(most: number): void {
    const data = this.#unread.subarray(0, most);
    if (data.length === 0) return;
    this.#body.push(data);
    this.#missing -= data.length;
    this.#unread = this.#unread.subarray(data.length);
  }

  #takeChunks(): boolean {
    for (;;) {
      if (this.#part === 'data') {
        this.#takeData(this.#missing);
        if (this.#missing > 0) return false;
        this.#part = 'data-end';
      }
      const line = this.#takeText('\r\n');
      if (line === undefined) return false;
      if (this.#part === 'trailer') {
        if (line === '') return true;
      } else if (this.#part === 'data-end') {
        if (line !== '') throw malformed('a chunk is longer than its size');
        this.#part = 'size';
      } else {
        this.#missing = chunkSizeOf(line);
        this.#part = this.#missing === 0 ? 'trailer' : 'data';
      }
    }
  }

  /** Takes the text before a mark, and the mark. */
  #takeText(mark: string): string | undefined {
    const end = this.#unread.indexOf(mark);
    if ((end < 0 ? this.#unread.length : end) > longestText)
      throw malformed(`its head or a line of it is longer than ${longestText} bytes`);
    if (end < 0) return undefined;
    const text = this.#unread.toString('latin1', 0, end);
    this.#unread = this.#unread.subarray(end + mark.length);
    return text;
  }
}

const malformed = (what: string): Error =>
  Object.assign(new Error(`The reply is not HTTP/1.1: ${what}.`), { name: 'MalformedReply', code: 'EPROTO' });

/** A size in hexadecimal digits; extensions after it mean nothing here. */
const chunkSizeOf = (line: string): number => {
  const [, digits] = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line) ?? [];
  if (digits === undefined) throw malformed('a chunk has no size');
  return Number.parseInt(digits, 16);
};

const headOf = (text: string): Head => {
  const lines = text.split('\r\n');
  const [, version, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? '') ?? [];
  if (version === undefined) throw malformed('its first line is no status line');
  const headers = Object.create(null) as Record<string, string>;
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] as string;
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed('a header has no name');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const head = { status: Number(status), headers };
  return { ...head, isKept: isKept(version, headers), body: bodyOf(head) };
};

const tokensOf = (value = ''): string[] => value.toLowerCase().split(/[ \t]*,[ \t]*/);

const isKept = (version: string, { connection }: Head['headers']): boolean => {
  const tokens = tokensOf(connection);
  return !tokens.includes('close') && (version === '1' || tokens.includes('keep-alive'));
};

const bodyOf = ({ status, headers }: Pick<Head, 'status' | 'headers'>): Head['body'] => {
  if (status < 200 || status === 204 || status === 304) return 0;
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) return tokensOf(coding).at(-1) === 'chunked' ? 'chunked' : 'until-end';
  if (length === undefined) return 'until-end';
  const [same, ...others] = new Set(tokensOf(length));
  if (others.length > 0 || !/^\d{1,15}$/.test(same ?? '')) throw malformed('its length is no number');
  return Number(same);
};
