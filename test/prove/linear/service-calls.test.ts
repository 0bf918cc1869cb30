import { describe, expect, it } from 'vitest';
import type { Sent } from '../service/client.ts';
import {
  accept,
  cancel,
  confirm,
  hold,
  nextMoment,
  orders,
  previewFree,
  problemsOf,
  sent,
  taken,
} from './service-scene.ts';

describe('as the clients of the service saw the calendars', () => {
  it.each<[string, () => Sent[]]>([
    ['homes of two families are taken at one time', () => [confirm([10]), confirm([20])]],
    ['a room is refused because of its house', () => [confirm([10]), confirm([11], taken)]],
    ['what was cancelled is taken again', () => [confirm([20]), cancel(orders), confirm([20])]],
    [
      'both homes of an order that was cancelled are taken again, after its host accepted one stay',
      () => [
        confirm([10, 20]),
        accept(orders + 2, 20, orders),
        cancel(orders),
        confirm([10], { who: 'binh' }),
        confirm([20], { who: 'chi' }),
      ],
    ],
    [
      'a lock that has expired makes way, for others too',
      () => [hold([20]), confirm([20], { who: 'binh', at: 16 })],
    ],
    ['an own lock counts as free in a preview', () => [hold([20]), previewFree(20)]],
    [
      'what was not paid in time is taken again',
      () => [confirm([20], { method: 'ONLINE_GATEWAY' }), confirm([20], { at: 31 })],
    ],
    [
      'a request without an answer may have taken the time, and may not',
      () => [confirm([20], { isLost: true }), confirm([20], taken), confirm([20])],
    ],
    [
      'a request without an answer is repeated with its key',
      () => [confirm([20], { isLost: true, key: 'k' }), confirm([20], { key: 'k' })],
    ],
    [
      'a card is declined while another asks, who is refused',
      () => {
        const declined = confirm([20], { status: 402, token: 'tok_declined' });
        const other = confirm([20], { who: 'binh', ...taken });
        return [{ ...declined, end: nextMoment() }, other];
      },
    ],
    ['a platform takes time without a request', () => [confirm([30], taken)]],
    [
      'a caller who replaces a lock of two families frees both',
      () => [hold([10, 20]), hold([10]), confirm([20], { who: 'binh' })],
    ],
    [
      'a room that has left its house is taken beside it',
      () => [
        confirm([10]),
        sent('updateListing', '/listings/11', { parent_listing_id: null }, { status: 200 }),
        confirm([11]),
      ],
    ],
  ])('it may be that %s', (_, all) => {
    expect(problemsOf(...all())).toEqual([]);
  });

  it.each<[string, () => Sent[]]>([
    ['a home is taken twice', () => [confirm([20]), confirm([20], { who: 'binh' })]],
    ['a house and its room are taken at one time', () => [confirm([11]), confirm([10])]],
    ['time under a live lock is taken', () => [hold([20]), confirm([20], { who: 'binh', at: 14 })]],
    ['free time is refused', () => [confirm([20]), cancel(orders), confirm([20], taken)]],
    ['taken time is shown as free', () => [confirm([20]), previewFree(20, { who: 'binh' })]],
    [
      'what is not paid yet is taken',
      () => [confirm([20], { method: 'ONLINE_GATEWAY' }), confirm([20], { at: 29 })],
    ],
    [
      'a declined card still takes the time later',
      () => [confirm([20], { status: 402 }), confirm([20], { ...taken, at: 1 })],
    ],
    [
      'a stay is taken after another stay of its order was cancelled',
      () => [confirm([10, 20]), cancel(orders + 2), confirm([10], { who: 'binh' })],
    ],
    ['a home that a platform follows is taken twice', () => [confirm([30]), confirm([30])]],
  ])('it cannot be that %s', (_, all) => {
    expect(problemsOf(...all())).toHaveLength(1);
  });
});
