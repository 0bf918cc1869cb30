import type { NewUser } from '../identity/index.ts';

export type Account = Omit<NewUser, 'email_verified'>;

const phone = '+84 901 234 567';
const person = (name: string, full_name: string): Account => ({
  email: `${name}@nightlatch.example`,
  password: `${name.charAt(0).toUpperCase()}${name.slice(1)}-2027`,
  full_name,
  phone,
});

/** The demo people with an account. */
export const demoPeople = {
  host: person('host', 'Trần Thị Mai'),
  otherHost: person('minh', 'Phạm Văn Minh'),
  guest: person('guest', 'Nguyễn Văn An'),
};

/** A customer who has not verified the e-mail address. */
export const unverifiedGuest = person('hoa', 'Lê Thị Hoa');

/** Guests of the demo stays, who write reviews and messages. */
export const stayingGuests = {
  lan: person('lan', 'Hoàng Thị Lan'),
  david: person('david', 'David Miller'),
  yuki: person('yuki', 'Yuki Tanaka'),
};

/** Two members of the first team besides its owner. */
export const colleagues = {
  linh: { ...person('linh', 'Trần Thị Linh'), email: 'linh@example.com' },
  khoa: { ...person('khoa', 'Đặng Anh Khoa'), email: 'khoa@example.com' },
};
