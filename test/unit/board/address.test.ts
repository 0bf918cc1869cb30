import { describe, expect, it } from 'vitest';
import { hashOf, readPlace } from '../../../board/src/stay/address.ts';

const none = { guests: 2, services: [] };

describe('the address of the page for guests', () => {
  it.each([
    ['#/?key=pk_a_b&guests=2', { ...none, view: 'search' }],
    [
      '#/homes/4711?from=2027-02-04&to=2027-02-07&key=pk_a_b&guests=4&services=71,72',
      { view: 'home', id: 4711, from: '2027-02-04', to: '2027-02-07', guests: 4, services: [71, 72] },
    ],
    [
      '#/book/4711?text=%C4%90%C3%A0+L%E1%BA%A1t&sort=price&key=pk_a_b&guests=2',
      { ...none, view: 'book', id: 4711, text: 'Đà Lạt', sort: 'price' },
    ],
    ['#/bookings?key=pk_a_b&guests=2', { ...none, view: 'bookings' }],
    ['#/bookings/9?key=pk_a_b&guests=2&new=1', { ...none, view: 'booking', id: 9, isNew: true }],
  ] as const)('says %s and is read again', (hash, place) => {
    expect(readPlace(hash)).toEqual({ ...place, key: 'pk_a_b' });
    expect(readPlace(hashOf({ ...place, services: [...place.services] }, 'pk_a_b'))).toEqual(readPlace(hash));
  });

  it('leaves out what it does not know', () => {
    for (const hash of ['', '#', '#/homes', '#/homes/x', '#/other/1', '#javascript:alert(1)'])
      expect(readPlace(hash)).toEqual({ ...none, view: 'search' });
    expect(readPlace('#/?from=tomorrow&guests=0&services=a,,-&sort=x&key=nl_secret')).toEqual({
      ...{ ...none, guests: 1, view: 'search' },
    });
  });
});
