import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, it, vi as clock } from 'vitest';
import { en as stayEn } from '../../../board/src/stay/words/en.ts';
import { vi as stayVi } from '../../../board/src/stay/words/vi.ts';
import { en } from '../../../board/src/words/en.ts';
import { explain } from '../../../board/src/words/problems.ts';
import { localeOf, writeDate, writeInstant, writeMonth, writeTime } from '../../../board/src/words/times.ts';
import { vi } from '../../../board/src/words/vi.ts';
import { routeGroups } from '../../../functions/routes.ts';
import { BookingState, PaymentStatus } from '../../../shared/domain/booking/booking-state.schema.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { CheckinMethod } from '../../../shared/domain/listing/listing-state.schema.ts';
import { PaymentMethod } from '../../../shared/domain/payment/payment-method.schema.ts';
import { PriceUnit } from '../../../shared/domain/pricing/extra-service.schema.ts';
import { BrokenRule } from '../../../shared/domain/pricing/stay-rules.schema.ts';
import { takenMethods } from '../../../shared/domain/folio/taken-method.schema.ts';
import { vi as mails } from '../../../shared/domain/notification/words/vi.ts';
import { errorsOf } from '../../../shared/platform/http/route.ts';
import { sourceFiles, sourceOf } from '../../support/sources.ts';

const problem = (code: string, status = 409, ...issues: { path: string; message: string }[]) =>
  explain({ status, code, details: { issues } });

const ofGuests = (file: string): boolean => file.includes('/stay/');

/** Of every operation of the API whose name is called in files of the board, some of which are named. */
const codesOf = (isMeant: (file: string) => boolean, some: readonly string[]): Set<string> => {
  const routes = new Map(routeGroups.flatMap(({ routes }) => Object.entries(routes)));
  const files = sourceFiles(['board/src']).filter(isMeant);
  const called = files.flatMap((file) => [...sourceOf(file).matchAll(/\.(\w+)\(/g)]);
  const operations = new Set(called.map(([, name = '']) => name).filter((name) => routes.has(name)));
  for (const name of some) expect(operations).toContain(name);
  return new Set([...operations].flatMap((name) => errorsOf(routes.get(name)!)));
};

describe('the words of the board', () => {
  it('have a sentence of their own for every error of the operations that the board calls', () => {
    const codes = codesOf((file) => !ofGuests(file), ['readToday', 'logOut', 'cancelBooking']);
    for (const code of [...codes, 'UNEXPECTED_ANSWER'])
      for (const words of [en, vi] as Readonly<Record<string, string>>[])
        expect(words[code], code).toMatch(/^[^a-zđ].+\.$/u);
  });

  it('of the page for guests have one for every error of the operations that it calls, and names of states, methods and rules', () => {
    const codes = codesOf(ofGuests, ['quoteStay', 'createCheckout', 'confirmCheckout', 'logOut']);
    for (const code of [...codes, 'UNEXPECTED_ANSWER'])
      for (const words of [stayEn, stayVi] as Readonly<Record<string, string>>[])
        expect(words[code], code).toMatch(/^[^a-zđ].+\.$/u);
    const names = [
      ...BookingState.options.map((state) => `state_${state}`),
      ...BrokenRule.shape.rule.options.map((rule) => `broken_${rule}`),
      ...[...PaymentMethod.options, ...CheckinMethod.options, ...PriceUnit.options],
    ];
    expect(names.filter((name) => !(name in stayEn && name in stayVi))).toEqual([]);
  });

  it('have a name for every state, way to pay, event and reason of the service', () => {
    const names = [
      ...BookingState.options.map((state) => `state_${state}`),
      ...PaymentStatus.options.filter((status) => status !== 'PENDING').map((status) => `status_${status}`),
      ...takenMethods,
      ...Object.keys(bookingEvents),
      ...Object.keys(mails.reasons).map((reason) => `why_${reason}`),
    ];
    expect(names.filter((name) => !(name in en && name in vi))).toEqual([]);
  });

  it('fill the same places in both languages', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
    for (const [name, text] of Object.entries(en))
      expect([name, ...places(vi[name as keyof typeof en])]).toEqual([name, ...places(text)]);
    for (const [name, text] of Object.entries(stayEn))
      expect([name, ...places(stayVi[name as keyof typeof stayEn])]).toEqual([name, ...places(text)]);
  });

  it('name the field of a form that was refused, and the bounds of an amount', () => {
    const message = 'must be at most 500000 VND, which is unpaid; or send overpaid';
    expect(problem('VALIDATION_ERROR', 400, { path: 'amount', message })).toEqual({
      name: 'tooMuch',
      field: 'field_amount',
      most: { amount: 500_000, currency: 'VND' },
    });
    const between = { path: 'refund_amount', message: 'must be from 0 to 12.5 USD' };
    expect(problem('VALIDATION_ERROR', 400, between)).toEqual({
      name: 'notBetween',
      field: 'field_refund_amount',
      least: { amount: 0, currency: 'USD' },
      most: { amount: 12.5, currency: 'USD' },
    });
    for (const path of ['amount', 'refund_amount', 'hours', 'label', 'reference', 'text', 'reason'])
      expect(problem('VALIDATION_ERROR', 400, { path, message: 'must be at most 9 of them' })).toEqual({
        name: 'badField',
        field: `field_${path}`,
      });
    for (const details of [{}, { issues: 'none' }, { issues: [null, { path: 'guests', message: 'x' }] }])
      expect(explain({ status: 400, code: 'VALIDATION_ERROR', details })).toEqual({
        name: 'VALIDATION_ERROR',
      });
  });

  it('say something of an error that is new', () => {
    expect(problem('NEW_REFUSAL').name).toBe('refused');
    expect(problem('NEW_FAULT', 500).name).toBe('failed');
    expect(problem('signIn').name).toBe('refused');
  });
});

describe('the times of the board', () => {
  beforeEach(
    () => void clock.useFakeTimers({ now: Temporal.Instant.from('2026-11-28T12:00:00Z').epochMilliseconds }),
  );
  afterEach(() => void clock.useRealTimers());
  const saigon = 'Asia/Ho_Chi_Minh';

  it('are written as in the region of the browser, where it has the language', () => {
    expect(localeOf('en', ['vi-VN', 'en-GB', 'en'])).toBe('en-GB');
    expect(localeOf('vi', ['en-GB'])).toBe('vi');
    expect(localeOf('en', ['en-US@posix'])).toBe('en');
    expect(writeDate('en-GB', '2026-11-29')).toBe('Sun 29 Nov');
    expect(writeDate('en-US', '2026-11-29')).toBe('Sun, Nov 29');
    expect(writeDate('vi', '2026-11-29')).toBe('CN, 29/11');
    expect(writeMonth('vi-VN', '2026-11-29')).toBe('11/2026');
  });

  it('have the year of another year', () => {
    expect(writeDate('en-GB', '2027-01-05')).toBe('Tue, 5 Jan 2027');
    expect(writeDate('vi', '2027-01-05')).toBe('Thứ 3, 5/1/2027');
    const instant = Temporal.Instant.from('2026-12-31T18:00:00Z');
    expect(writeInstant('en-GB', instant, 'UTC', 'UTC')).toBe('31 Dec, 18:00');
    expect(writeInstant('en-GB', instant, saigon, 'Asia/Bangkok')).toBe('1 Jan 2027, 01:00');
  });

  it('have the zone of a home whose clocks differ from the device’s', () => {
    const instant = Temporal.Instant.from('2026-11-28T12:00:00Z');
    expect(writeInstant('en-GB', instant, saigon, 'UTC')).toBe('28 Nov, 19:00 GMT+7');
    expect(writeTime('en-GB', '2026-11-28T14:00:00', saigon, 'UTC')).toBe('14:00 GMT+7');
    expect(writeTime('en-GB', '2026-11-28T14:00:00', saigon, 'Asia/Saigon')).toBe('14:00');
    expect(writeTime('vi', '2026-11-28T14:00:00', saigon, 'UTC')).toBe('14:00 GMT+7');
    expect(writeTime('vi', '14:00:00')).toBe('14:00');
  });
});
