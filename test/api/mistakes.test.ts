import { beforeAll, describe, expect, it } from 'vitest';
import { instantText } from '../../shared/platform/time/clock.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { type Api, api, type Asked } from '../support/api.ts';
import { type World, world } from '../support/world.ts';

/** What newcomers do wrong most often. Each answer says what is wrong and what to do (D101). */
let service: Api;
let here: World;
beforeAll(async () => {
  service = await api();
  here = await world(service);
}, 60_000);

const json = { 'Content-Type': 'application/json' };
const bookings = '/api/v1/external/bookings';
const listings = '/api/v1/external/listings';

const day = (ahead: number): string => addDays(instantText(service.deps.clock.now()).slice(0, 10), ahead);
const stay = () => ({
  listing_id: here.ids['listing_id'],
  guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
  check_in_date: day(80),
  check_out_date: day(83),
  guest_number: 2,
  nights: 3,
  payment_method: 'CASH',
});
const byKey = (body?: unknown, more: Asked = {}): Asked => ({
  key: here.partner.key,
  ...(body === undefined ? {} : { body }),
  ...more,
});
const book = (changed: object) => byKey({ ...stay(), ...changed });
const text = (change: (good: string) => string) => byKey(change(JSON.stringify(stay())), { headers: json });

const named = (full_name: string) => book({ guest_info: { ...stay().guest_info, full_name } });
const latin1 = (): Asked => byKey(Buffer.from(JSON.stringify(named('José Muñoz').body), 'latin1'));

interface Mistake {
  what: string;
  call: [method: string, path: string, asked: () => Asked];
  answer: [status: number, code: string, message: RegExp];
}

const invalid = (message: RegExp): Mistake['answer'] => [400, 'VALIDATION_ERROR', message];
const noCredential: Mistake['answer'] = [401, 'UNAUTHORIZED', /X-API-Key.+Authorization: Bearer/];
const post = (asked: () => Asked): Mistake['call'] => ['POST', bookings, asked];
const list = (query: Asked['query']): Mistake['call'] => [
  'GET',
  listings,
  () => byKey(undefined, query ? { query } : {}),
];
const mine = '/api/v1/bookings/my';
const team = '/api/v1/bookings';
const notJson = invalid(/not valid JSON: see line 1, column \d+.+double quotes.+no comma/);

const mistakes: Mistake[] = [
  { what: 'no key', call: ['GET', bookings, () => ({})], answer: noCredential },
  {
    what: 'the key in another header',
    call: ['GET', bookings, () => ({ headers: { 'Api-Key': here.partner.key } })],
    answer: noCredential,
  },
  {
    what: 'the key as a bearer token',
    call: ['GET', bookings, () => ({ headers: { Authorization: `Bearer ${here.partner.key}` } })],
    answer: noCredential,
  },
  {
    what: 'a token on a path for keys',
    call: ['GET', bookings, () => ({ token: here.guest.token })],
    answer: noCredential,
  },
  {
    what: 'a key on a path for tokens',
    call: ['GET', mine, () => ({ key: here.partner.key })],
    answer: noCredential,
  },
  {
    what: 'a token without the word Bearer',
    call: ['GET', mine, () => ({ headers: { Authorization: here.guest.token } })],
    answer: noCredential,
  },
  {
    what: 'a field that is misspelt',
    call: post(() => book({ guest_numbr: 2 })),
    answer: invalid(/Unknown field: guest_numbr\. Did you mean guest_number\?/),
  },
  {
    what: 'a field in camel case',
    call: post(() => book({ checkInDate: day(80) })),
    answer: invalid(/Unknown field: checkInDate\. Did you mean check_in_date\?/),
  },
  {
    what: 'a token for a charge',
    call: post(() => book({ payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' })),
    answer: invalid(/^Unknown field: payment_gateway_token\. The guest pays at `payment_url`\.$/),
  },
  {
    what: 'a field left out',
    call: post(() => byKey({ ...stay(), guest_info: undefined })),
    answer: invalid(/^guest_info: is required: an object/),
  },
  {
    what: 'dates the wrong way round',
    call: post(() => book({ check_in_date: day(83), check_out_date: day(80) })),
    answer: invalid(/^check_out_date: must not be before check_in_date/),
  },
  {
    what: 'a date as it is written in Vietnam',
    call: post(() => book({ check_in_date: '04/02/2027' })),
    answer: invalid(/^check_in_date: must be a date written as YYYY-MM-DD/),
  },
  {
    what: 'an instant for a date',
    call: post(() => book({ check_in_date: `${day(80)}T14:00:00Z` })),
    answer: invalid(/^check_in_date: must be a date written as YYYY-MM-DD/),
  },
  {
    what: 'a date that does not exist',
    call: post(() => book({ check_in_date: '2027-02-30' })),
    answer: invalid(/^check_in_date: must be a real calendar date/),
  },
  {
    what: 'a date in the past',
    call: post(() => book({ check_in_date: day(-3), check_out_date: day(0) })),
    answer: invalid(/^check_in_date: must not be in the past/),
  },
  {
    what: 'another number of nights',
    call: post(() => book({ nights: 2 })),
    answer: invalid(/^nights: does not match the dates, which have 3 nights/),
  },
  {
    what: 'too many guests',
    call: post(() => book({ guest_number: 99 })),
    answer: invalid(/^guest_number: must be at most \d+/),
  },
  {
    what: 'a number as text',
    call: post(() => book({ guest_number: '2' })),
    answer: invalid(/^guest_number: must be a number/),
  },
  {
    what: 'a value in lower case',
    call: post(() => book({ payment_method: 'cash' })),
    answer: invalid(/^payment_method: must be one of CASH, BANK_TRANSFER, ONLINE_GATEWAY/),
  },
  {
    what: 'a trailing comma',
    call: post(() => text((good) => good.replace(/\}$/, ',}'))),
    answer: notJson,
  },
  { what: 'single quotes', call: post(() => text((good) => good.replaceAll('"', "'"))), answer: notJson },
  {
    what: 'a byte order mark',
    call: post(() => text((good) => `\ufeff${good}`)),
    answer: invalid(/not valid JSON: it begins with a byte order mark \(BOM\).+double quotes/),
  },
  ...['NaN', 'Infinity', '-Infinity'].map((word) => ({
    what: `${word} for a number`,
    call: post(() => text((good) => good.replace('"guest_number":2', `"guest_number": ${word}`))),
    answer: invalid(/not valid JSON: (NaN|Infinity) is no JSON number.+double quotes/),
  })),
  {
    what: 'True for true',
    call: post(() => text((good) => good.replace('"guest_number":2', '"guest_number":True'))),
    answer: invalid(/^The body is not valid JSON\. Names and texts are in double quotes/),
  },
  {
    what: 'half a body',
    call: post(() => text((good) => good.slice(0, -2))),
    answer: invalid(/not valid JSON: (it ends too early|see line 1)/),
  },
  {
    what: 'no body',
    call: post(() => byKey('', { headers: json })),
    answer: invalid(/The body is empty: send a JSON object/),
  },
  {
    what: 'a list for an object',
    call: post(() => byKey([stay()])),
    answer: invalid(/^The body must be an object/),
  },
  {
    what: 'no content type',
    call: post(() => byKey(JSON.stringify(stay()), { headers: { 'Content-Type': '' } })),
    answer: [415, 'UNSUPPORTED_MEDIA_TYPE', /Content-Type: application\/json/],
  },
  {
    what: 'a name of two lines',
    call: post(() => named('Bình\r\nBcc: x@example.com')),
    answer: invalid(/^guest_info\.full_name: must be one line without control characters/),
  },
  {
    what: 'a name with a null byte',
    call: post(() => named('Bình\u0000Trần')),
    answer: invalid(/^guest_info\.full_name: must be one line/),
  },
  {
    what: 'a name that turns the direction of writing',
    call: post(() => named('Bình\u202egnp.exe')),
    answer: invalid(/^guest_info\.full_name: must be one line/),
  },
  {
    what: 'a name of a customer with a null byte',
    call: [
      'POST',
      '/api/v1/external/customers/register',
      () =>
        byKey({
          email: 'binh@example.com',
          full_name: 'Bình\u0000',
          phone: '+84 912 345 678',
          password: 'Aa1-9f3kd82j',
        }),
    ],
    answer: invalid(/^full_name: must be one line/),
  },
  {
    what: 'another character set',
    call: post(() => ({ ...latin1(), headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } })),
    answer: [415, 'UNSUPPORTED_MEDIA_TYPE', /^The body is in iso-8859-1: send it in utf-8/],
  },
  {
    what: 'bytes that are not UTF-8',
    call: post(latin1),
    answer: invalid(/^The body is not UTF-8: see line 1, column \d+\.$/),
  },
  {
    what: 'per_page for limit',
    call: list({ per_page: 50 }),
    answer: invalid(/Unknown field: per_page\. Did you mean limit\?/),
  },
  {
    what: 'an offset for a page',
    call: list({ offset: 40 }),
    answer: invalid(/Unknown field: offset\. Did you mean page\?/),
  },
  {
    what: 'a page that is too long',
    call: list({ limit: 1000 }),
    answer: invalid(/^limit: must be at most 100/),
  },
  {
    what: 'an instant with a + that is not encoded',
    call: ['GET', `${bookings}?updated_since=2027-02-04T07:00:00+07:00`, () => byKey()],
    answer: [
      400,
      'EXTERNAL_INVALID_DATE_FORMAT',
      /^updated_since: must be an instant such as .+; write \+ as %2B$/,
    ],
  },
  { what: 'a page 0', call: list({ page: 0 }), answer: invalid(/^page: must be at least 1/) },
  {
    what: 'teams that are no JSON array',
    call: list({ team_ids: '71' }),
    answer: [400, 'EXTERNAL_INVALID_REQUEST', /JSON array of team ids, such as \[1,2,3\]/],
  },
  {
    what: 'a state that there is not',
    call: ['GET', bookings, () => byKey(undefined, { query: { state: 'BOOKED' } })],
    answer: [400, 'EXTERNAL_INVALID_STATE', /^state: must be one of PENDING, CONFIRMED/],
  },
  {
    what: 'a system without its booking id',
    call: post(() => book({ external_system: 'stayhub' })),
    answer: [400, 'EXTERNAL_BOOKING_ID_REQUIRED', /`external_booking_id`: send both/],
  },
  {
    what: 'an id that is no number',
    call: ['GET', `${bookings}/abc`, () => byKey()],
    answer: invalid(/^booking_id: must be a number/),
  },
  {
    what: 'a path in the singular',
    call: ['GET', '/api/v1/external/booking', () => byKey()],
    answer: [404, 'NOT_FOUND', /Did you mean \/api\/v1\/external\/bookings\?/],
  },
  {
    what: 'another method',
    call: ['PUT', bookings, () => byKey(stay())],
    answer: [405, 'METHOD_NOT_ALLOWED', /`Allow` lists/],
  },
  {
    what: 'the name of a team for its id',
    call: ['GET', team, () => ({ token: here.host.token, headers: { 'X-Team-ID': 'mine' } })],
    answer: invalid(/X-Team-ID is the id of a team/),
  },
  {
    what: 'a team of others',
    call: ['GET', team, () => ({ token: here.host.token, team: 7 })],
    answer: [403, 'FORBIDDEN', /not a host of this team/],
  },
  {
    what: 'an Idempotency-Key with a space',
    call: post(() => byKey(stay(), { headers: { 'Idempotency-Key': 'order 1' } })),
    answer: invalid(/Idempotency-Key takes 1 to 255 visible ASCII characters/),
  },
  {
    what: 'a webhook without TLS',
    call: [
      'POST',
      '/api/v1/external/webhooks',
      () => byKey({ url: 'http://example.com/x', event_types: ['booking.created'] }),
    ],
    answer: invalid(/url must begin with https:\/\//),
  },
];

describe('a typical mistake', () => {
  it.each(mistakes)('$what', async ({ call: [method, path, asked], answer: [status, code, message] }) => {
    const reply = await service.call(method, path, asked());
    expect(reply.status, reply.text).toBe(status);
    expect(reply.body).toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
      request_id: reply.headers['x-request-id'],
    });
  });
});
