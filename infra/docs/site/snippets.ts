/** A request as the reader of a page writes it. */
export interface ShownRequest {
  /** Its operation, the name of a method of the client. */
  id: string;
  method: string;
  url: string;
  baseUrl: string;
  /** The security scheme; empty: none. */
  credential: string;
  /** What the reader has entered as credential. */
  secret?: string | undefined;
  /** Parameters that are given, as text. */
  parameters: readonly {
    name: string;
    in: string;
    value: string;
    isText: boolean;
    /** What is meant without it. */
    isDefault: boolean;
  }[];
  /** JSON, as it was typed. */
  body?: string | undefined;
  answer: 'json' | 'text' | 'none';
  /** Whether the client has a method for it. */
  isOfClient: boolean;
}

/** Returns the address of a request. */
export const urlOf = (baseUrl: string, path: string, parameters: ShownRequest['parameters']): string => {
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    parameters.filter((one) => one.in === 'query').map(({ name, value }): [string, string] => [name, value]),
  );
  return `${baseUrl}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
};

/** How each credential is sent, and where an example has it from. */
const credentials: Readonly<Record<string, { header: string; before: string; variable: string }>> = {
  ApiKey: { header: 'X-API-Key', before: '', variable: 'API_KEY' },
  Bearer: { header: 'Authorization', before: 'Bearer ', variable: 'TOKEN' },
  GuestLink: { header: 'Authorization', before: 'Guest ', variable: 'LINK' },
  PublishableKey: { header: 'X-API-Key', before: '', variable: 'PUBLISHABLE_KEY' },
};

/** Returns the headers that are sent, but the credential. */
const givenHeaders = ({ parameters, body }: ShownRequest): [string, string][] => [
  ...parameters
    .filter((one) => one.in === 'header')
    .map(({ name, value }): [string, string] => [name, value]),
  ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
];

/** Returns the headers that are sent; without a secret, that of the credential has the name of a variable. */
export const headersOf = (request: ShownRequest): [string, string][] => {
  const credential = credentials[request.credential];
  if (!credential) return givenHeaders(request);
  const { header, before, variable } = credential;
  return [...givenHeaders(request), [header, `${before}${request.secret ?? `$${variable}`}`]];
};

const formatted = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (request: ShownRequest): string => {
  const { method, url, body, secret } = request;
  const isOpen = (value: string): boolean => secret === undefined && /\$[A-Z_]+$/.test(value);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...headersOf(request).map(([name, value]) =>
      isOpen(value) ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quoted(formatted(body))}`]),
  ].join(' \\\n  ');
};

/** How a language writes values. */
interface Literals {
  key: (name: string) => string;
  text: (text: string) => string;
  word: (value: boolean | null) => string;
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

/** Returns a JSON value in a language, over several lines where it has fields. */
const literal = (value: unknown, language: Literals): string => {
  if (typeof value === 'string') return language.text(value);
  if (value === null || typeof value === 'boolean') return language.word(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => literal(one, language))
    : Object.entries(value).map(([name, one]) => `${language.key(name)}: ${literal(one, language)}`);
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${indented(parts.map((part) => `${part},`).join('\n'))}\n${close}`;
};

const textInScript = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const script: Literals = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : textInScript(name)),
  text: textInScript,
  word: String,
};
const python: Literals = {
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
};

const clientOptions: Readonly<Record<string, string>> = {
  ApiKey: 'apiKey',
  Bearer: 'accessToken',
  PublishableKey: 'publishableKey',
};

const client = ({ id, baseUrl, credential, parameters, body }: ShownRequest): string => {
  const valueOf = ({ value, isText }: ShownRequest['parameters'][number]): unknown =>
    isText ? value : JSON.parse(value);
  const fields = parameters.filter((one) => one.in !== 'header' && !one.isDefault);
  const input = {
    ...Object.fromEntries(fields.map((one) => [one.name, valueOf(one)])),
    ...(body === undefined ? {} : (JSON.parse(body) as object)),
  };
  const header = (name: string) => parameters.find((one) => one.in === 'header' && one.name === name)?.value;
  const [team, key] = [header('X-Team-ID'), header('Idempotency-Key')];
  const options = {
    ...(team === undefined ? {} : { teamId: Number(team) }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
  const given = [input, options].map((one) => literal(one, script));
  const hasOptions = Object.keys(options).length > 0;
  const hasInput = Object.keys(input).length > 0;
  const option = clientOptions[credential];
  const variable = credentials[credential]?.variable;
  return [
    `import { Nightlatch } from '@nightlatch/client';`,
    '',
    `const nightlatch = new Nightlatch({`,
    `  baseUrl: ${textInScript(baseUrl)},`,
    ...(option === undefined ? [] : [`  ${option}: process.env.${variable},`]),
    `});`,
    `const answer = await nightlatch.${id}(${given.slice(0, hasOptions ? 2 : hasInput ? 1 : 0).join(', ')});`,
  ].join('\n');
};

const inPython = (request: ShownRequest): string => {
  const { method, url, body, answer } = request;
  const credential = credentials[request.credential];
  const headers = [
    ...(credential
      ? [
          `"${credential.header}": ${credential.before === '' ? '' : `"${credential.before}" + `}os.environ["${credential.variable}"],`,
        ]
      : []),
    ...request.parameters
      .filter((one) => one.in === 'header')
      .map(({ name, value }) => `${python.key(name)}: ${python.text(value)},`),
  ];
  const given = [
    `${JSON.stringify(url)},`,
    ...(headers.length === 0 ? [] : [`headers={\n${indented(headers.join('\n'))}\n},`]),
    ...(body === undefined ? [] : [`json=${literal(JSON.parse(body), python)},`]),
  ];
  return [
    ...(credential ? ['import os'] : []),
    'import requests',
    '',
    `reply = requests.${method.toLowerCase()}(\n${indented(given.join('\n'))}\n)`,
    'reply.raise_for_status()',
    ...(answer === 'none' ? [] : [`answer = reply.${answer === 'json' ? 'json()' : 'text'}`]),
  ]
    .join('\n')
    .replaceAll(/^(?: {2})+/gm, (spaces) => spaces + spaces);
};

/** A request written in each way that the pages show. Those but curl throw a SyntaxError for a body that is no JSON. */
export const snippets: Readonly<Record<string, (request: ShownRequest) => string>> = {
  curl,
  Client: client,
  Python: inPython,
};
