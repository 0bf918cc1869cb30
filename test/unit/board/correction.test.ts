import { describe, expect, it } from 'vitest';
import { correctionOf, correctionRequest, isCorrectable } from '../../../board/src/booking/correction.ts';

const booking = {
  id: 17,
  user_id: null,
  guest_info: { name: 'An', full_name: 'An', phone: '+84 912 345 678', email: 'an@example.com' },
  arrival_time: '17:30:00',
  note: 'A cot',
};

describe('the form that corrects a guest', () => {
  it('begins with what the booking has, and sends nothing of it', () => {
    expect(correctionOf(booking)).toMatchObject({ arrival_time: '17:30', note: 'A cot' });
    expect(correctionRequest(booking, correctionOf(booking))).toEqual({ booking_id: 17 });
    expect(correctionRequest(booking, {})).toEqual({ booking_id: 17 });
  });

  it('sends what differs, and null for what is emptied', () => {
    const typed = { full_name: ' An Bình ', email: '', arrival_time: '21:15', note: '' };
    expect(correctionRequest(booking, typed)).toEqual({
      ...{ booking_id: 17, guest_info: { full_name: 'An Bình', email: null } },
      ...{ arrival_time: '21:15:00', note: null },
    });
    expect(correctionRequest(booking, { arrival_time: '' })).toEqual({ booking_id: 17, arrival_time: null });
  });

  it('leaves the address of an account alone', () => {
    const ofAccount = { ...booking, user_id: 5312 };
    expect([isCorrectable('email', ofAccount), isCorrectable('phone', ofAccount)]).toEqual([false, true]);
    expect(correctionRequest(ofAccount, { email: 'other@example.com' })).toEqual({ booking_id: 17 });
  });
});
