import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readBody } from '../../../shared/platform/http/read-body.ts';
import type { Route } from '../../../shared/platform/http/route.ts';

const route = { body: z.object({ name: z.string() }) } as unknown as Route;
const raw = { raw: true } as unknown as Route;
const eventOf = (body: string, type = 'application/json', isBase64Encoded = false) =>
  ({ body, headers: { 'content-type': type }, isBase64Encoded }) as unknown as APIGatewayProxyEvent;

/** Invalid bytes as API Gateway passes them on. */
const lost = Buffer.from('{"name":\n "José"}', 'latin1').toString();

it.each(['application/json', 'application/json;charset=UTF-8', 'application/json; v=1; charset="utf8"'])(
  'parses JSON that is sent as %s',
  (type) => {
    const event = eventOf('{"name":"José \\ufffd"}', type);
    readBody(route, event);
    expect(event.body).toEqual({ name: 'José \ufffd' });
  },
);

it('refuses another character set, also for a body of ASCII alone', () => {
  for (const type of ['application/json; charset=iso-8859-1', 'application/json;charset="windows-1258"'])
    expect(() => readBody(route, eventOf('{"name":"Jose"}', type))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' }),
    );
});

it.each([
  ['as text', eventOf(lost)],
  ['in base64', eventOf(Buffer.from('{"name":\n "José"}', 'latin1').toString('base64'), undefined, true)],
])('refuses bytes that are not UTF-8, passed on %s, and says where', (_, event) => {
  expect(() => readBody(route, event)).toThrow(/^The body is not UTF-8: see line 2, column 6\./);
});

it('leaves the body of a signed webhook as it was sent', () => {
  const event = eventOf(lost, 'application/json; charset=iso-8859-1');
  readBody(raw, event);
  expect(event.body).toBe(lost);
});
