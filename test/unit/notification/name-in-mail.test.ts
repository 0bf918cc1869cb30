import { describe, expect, it } from 'vitest';
import { nameInMail, withoutLinks } from '../../../shared/platform/mail/name-in-mail.ts';

/** What the linkers of mail programs look for, once what browsers take for ASCII is ASCII. */
const findsLink = (text: string): boolean => {
  const read = text
    .normalize('NFKC')
    .replaceAll(/[\u3002\uFF61\u2024]/g, '.')
    .replaceAll(/[\u2044\u2215\u29F8]/g, '/');
  return [
    /[a-z][\w+.-]*:\/?\/?\S/i,
    /\/\//,
    /www\./i,
    /\S@\S/,
    /[\p{L}\p{N}_-]\.[\p{L}_-]/u,
    /\p{L}\.\p{N}/u,
    /\d+\.\d+\.\d+\.\d+/,
  ].some((pattern) => pattern.test(read));
};

describe('a name in a mail', () => {
  it.each([
    ['https://evil.example/pay', 'https evil example/pay'],
    ['Pay at HTTPS://evil.example', 'Pay at HTTPS evil example'],
    ['https:evil.example', 'https evil example'],
    ['https: //evil.example', 'https evil example'],
    ['https:\\\\evil.example', 'https evil example'],
    ['//evil.example', 'evil example'],
    ['http://localhost/x', 'http localhost/x'],
    ['localhost:3000', 'localhost 3000'],
    ['http://3232235521/', 'http 3232235521/'],
    ['http://[::1]/', 'http [::1]/'],
    ['ftp://evil.example', 'ftp evil example'],
    ['www.evil.example', 'www evil example'],
    ['Refund waiting: evil.example', 'Refund waiting: evil example'],
    ['evil.example.', 'evil example.'],
    ['(evil.example)', '(evil example)'],
    ['evil.example/a.html?b=c.d#e', 'evil example/a html?b=c d#e'],
    ['pay.me', 'pay me'],
    ['1pay.io', '1pay io'],
    ['a.1x.io', 'a 1x io'],
    ['evil-.-x.io', 'evil- -x io'],
    ['evil..example', 'evil example'],
    ['192.168.1.1', '192 168 1 1'],
    ['mai@evil.example', 'mai evil example'],
    ['mailto:mai@evil.example', 'mailto mai evil example'],
    ['tel:+84901234567', 'tel +84901234567'],
    ['javascript:alert(1)', 'javascript alert(1)'],
    ['đánh.vn', 'đánh vn'],
    ['пример.рф', 'пример рф'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e com'],
    ['❤.ws', '❤ ws'],
    ['evil\u3002example', 'evil example'],
    ['evil\uFF0Eexample', 'evil example'],
    ['evil\uFF61example', 'evil example'],
    ['evil\u2024example', 'evil example'],
    ['evil\uFE52example', 'evil example'],
    ['https\uFF1A\uFF0F\uFF0Fevil\uFF0Eexample\uFF0Fpay', 'https evil example\uFF0Fpay'],
    ['https:\u2044\u2044evil.example', 'https evil example'],
    ['https:\u2215\u2215evil.example', 'https evil example'],
    ['mai\uFF20evil.example', 'mai evil example'],
    ['ｅｖｉｌ.ｅｘａｍｐｌｅ', 'ｅｖｉｌ ｅｘａｍｐｌｅ'],
    ['evil\u200B.\u200Bexample', 'evil example'],
    ['evil.\u2060example', 'evil example'],
    ['evil\u00AD.example', 'evil example'],
    ['evil\u034F.example', 'evil example'],
    ['h\u200Bttps://evil.example', 'https evil example'],
    ['\u202Eelpmaxe.live', 'elpmaxe live'],
    ['evil\n.example', 'evil .example'],
    ['Mai\r\nBcc: a@b.example', 'Mai Bcc: a b example'],
    ['Mai\u2028https://evil.example', 'Mai https evil example'],
  ])('has no address in %j', (given, wanted) => {
    expect(nameInMail(given)).toBe(wanted);
    expect(findsLink(wanted)).toBe(false);
    expect(nameInMail(wanted)).toBe(wanted);
  });

  it.each([
    'Nguyễn Thị Ánh',
    "Mai O'Brien-Smith",
    'Dr. An',
    'Martin Luther King Jr.',
    'An <b>&"\'',
    'Biệt thự "Mây & Gió" <Đà Lạt>',
    'Homestay 2.0, 3:2 & 24/7',
    'Check-in 14:00',
    '50 m² (12.03.2027)',
    'Villa #7 – tầng 3',
    '李小龍',
    'Wait... more',
    '',
  ])('is left alone: %j', (name) => {
    expect(nameInMail(name)).toBe(name);
    expect(nameInMail(`  ${name} `)).toBe(name);
  });

  it('has at most 60 characters, and no half ones', () => {
    expect(nameInMail('a'.repeat(60))).toBe('a'.repeat(60));
    expect(nameInMail('a'.repeat(61))).toBe(`${'a'.repeat(59)}…`);
    expect(nameInMail('🏡'.repeat(255))).toBe(`${'🏡'.repeat(59)}…`);
    expect(nameInMail(`${'a'.repeat(58)} ${'b'.repeat(9)}`)).toBe(`${'a'.repeat(58)}…`);
    // It is cut after its address is gone.
    expect(nameInMail(`${'a'.repeat(50)} https://evil.example/pay`)).toBe(
      `${'a'.repeat(50)} https ev…`.slice(0, 60),
    );
  });
});

it('a postal address keeps its length', () => {
  const address = `12/3 Nguyễn Huệ, P.Bến Nghé, Q.1, TP.HCM, ${'Việt Nam '.repeat(20)}`.trim();
  expect(withoutLinks(address)).toBe(
    address.replace('P.Bến', 'P Bến').replace('Q.1', 'Q 1').replace('TP.HCM', 'TP HCM'),
  );
});
