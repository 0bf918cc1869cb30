import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';

export type Exchange = { req: IncomingMessage; res: ServerResponse; url: URL };

/** An error response: status and JSON body in Auth0's format. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  constructor(status: number, body: Record<string, unknown>) {
    super(String(status));
    this.status = status;
    this.body = body;
  }
}

const maxBodyBytes = 64 * 1024;

const readBytes = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes)
      throw new Refusal(413, { error: 'invalid_request', error_description: 'Payload too large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a request body, JSON or form: Auth0 accepts both. */
export const readFields = async (req: IncomingMessage): Promise<Record<string, unknown>> => {
  const text = (await readBytes(req)).toString('utf8');
  if (text === '') return {};
  if (!(req.headers['content-type'] ?? '').includes('json')) return { ...parseForm(text) };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Rejected below, like any other body that is not an object.
  }
  throw new Refusal(400, { error: 'invalid_request', error_description: 'The body is not a JSON object.' });
};

export const textField = (fields: Record<string, unknown>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

export const recordField = (fields: Record<string, unknown>, name: string): Record<string, unknown> => {
  const value = fields[name];
  return isRecord(value) ? value : {};
};

const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const sendJson = (
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServerResponse => {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...always, ...headers });
  return res.end(body === undefined ? undefined : JSON.stringify(body));
};

export const sendText = (
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): ServerResponse => {
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...always, ...headers });
  return res.end(text);
};

export const sendHtml = (res: ServerResponse, status: number, html: string): ServerResponse =>
  sendText(res, status, html, {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  });

export const redirect = (res: ServerResponse, location: string): ServerResponse => {
  res.writeHead(303, { location });
  return res.end();
};
