/** An operation of the API as far as sending it needs. */
export interface Operation {
  id: string;
  method: string;
  /** With `{param}` placeholders. */
  path: string;
  /** Takes an Idempotency-Key. */
  takesKey: boolean;
  body: 'none' | 'optional' | 'required';
}

/**
 * Returns an operation from its line in the table: method, `!` where it takes an Idempotency-Key, `+` or `?` where it has a
 * required or an optional body, and the path, below `/api/v1/` unless it begins with a slash.
 */
export const readOperation = (id: string, line: string): Operation => {
  const [, method = '', key, body, path = ''] = /^([A-Z]+)(!?)([+?]?) (.*)$/.exec(line) ?? [];
  return {
    id,
    method,
    path: path.startsWith('/') ? path : `/api/v1/${path}`,
    takesKey: key === '!',
    body: body === '+' ? 'required' : body === '?' ? 'optional' : 'none',
  };
};

/** Parameters of the path, and the fields of query or body, as one object. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns address and body of a request. */
export const addressOf = (
  { id, path, body }: Operation,
  input: Input,
): { target: string; body: string | undefined } => {
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = textOf(rest[name]);
    // A segment of dots would be another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id} needs ${name}.`);
    Reflect.deleteProperty(rest, name);
    return encodeURIComponent(value);
  });
  if (body !== 'none') {
    const isLeftOut = body === 'optional' && Object.keys(rest).length === 0;
    return { target: filled, body: isLeftOut ? undefined : JSON.stringify(rest) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined && value !== null) query.append(name, textOf(value));
  const text = query.toString();
  return { target: text === '' ? filled : `${filled}?${text}`, body: undefined };
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
