import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { logInCustomer } from '../../shared/domain/people/sessions.ts';
import { readUserBySubject } from '../../shared/domain/people/user.store.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { interrupted } from '../support/interrupted.ts';
import { type PartnerScene, partnerScene } from '../support/partner-scene.ts';
import { testContext } from '../support/table.ts';

let s: PartnerScene;
const before = process.env['RATE_LIMIT_ATTEMPTS'];
beforeAll(async () => void (s = await partnerScene()));
beforeEach(() => void Reflect.deleteProperty(process.env, 'RATE_LIMIT_ATTEMPTS'));
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  process.env['RATE_LIMIT_ATTEMPTS'] = before ?? 'off';
  await s.provider.stop();
});

const minute = 60_000;
const home = '198.51.100.23';
type Person = ReturnType<PartnerScene['newPerson']>;

/** An account at the provider, with a verified address. */
const person = async (email_verified = true): Promise<Person> => {
  const made = s.newPerson();
  await s.provider.createUser({ ...made, email_verified });
  return made;
};
const attempt = async (key: PartnerCaller, { email }: Person, password: string, client_ip?: string) => {
  const body = { email, password, ...(client_ip !== undefined && { client_ip }) };
  const { status, headers, text } = await s.calls.call(key, 'logInCustomer', { body });
  const { message } = JSON.parse(text) as { message?: string };
  return { status, message, wait: Number(headers['Retry-After'] ?? 0) };
};
const wrong = (key: PartnerCaller, who: Person, ip?: string) => attempt(key, who, 'Wrong-2027', ip);
const right = (key: PartnerCaller, who: Person, ip?: string) => attempt(key, who, who.password, ip);
const several = async (times: number, one: () => ReturnType<typeof attempt>) => {
  const replies = [];
  for (let at = 0; at < times; at++) replies.push(await one());
  return replies.map(({ status }) => status);
};
/** What the provider is asked from now on: the client's address of each login. */
const asked = () => {
  const login = vi.spyOn(s.identity, 'passwordLogin');
  return () => login.mock.calls.map(([{ clientIp }]) => clientIp);
};

describe('failed logins of a key with an e-mail address', () => {
  it('let a person who mistypes five times in after a minute, and not before', async () => {
    const [key, who] = [await s.partner(), await person()];
    expect(await several(5, () => wrong(key, who))).toEqual([401, 401, 401, 401, 401]);
    expect(await right(key, who)).toEqual({
      status: 429,
      wait: 60,
      message:
        'Too many logins with this e-mail address have failed: the next try is possible in 60 seconds.',
    });
    s.deps.clock.advance(minute);
    expect((await right(key, who)).status).toBe(200);
    expect(await several(5, () => wrong(key, who))).toEqual([401, 401, 401, 401, 401]);
  });

  it('make each next one wait twice as long, up to an hour, and are forgotten after a day without one', async () => {
    const [key, who] = [await s.partner(), await person()];
    await several(5, () => wrong(key, who));
    const waits: number[] = [];
    for (let at = 0; at < 8; at++) {
      const { wait } = await wrong(key, who);
      waits.push(wait / 60);
      s.deps.clock.advance(wait * 1000);
      expect((await wrong(key, who)).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    s.deps.clock.advance(24 * 60 * minute);
    expect(await several(6, () => wrong(key, who))).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('are of this key and this address alone', async () => {
    const [key, other] = [await s.partner(), await s.partner()];
    const [who, another] = [await person(), await person()];
    await several(6, () => wrong(key, who));
    expect((await right(other, who)).status).toBe(200);
    expect((await right(key, another)).status).toBe(200);
    expect(await several(1, () => wrong(key, { ...who, email: who.email.toUpperCase() }))).toEqual([429]);
  });

  it('are those that failed: a success ends the count, as does a right password before the verification', async () => {
    const [key, who, unverified] = [await s.partner(), await person(), await person(false)];
    for (let round = 0; round < 3; round++) {
      expect(await several(4, () => wrong(key, who))).toEqual([401, 401, 401, 401]);
      expect((await right(key, who)).status).toBe(200);
      expect(await several(4, () => wrong(key, unverified))).toEqual([401, 401, 401, 401]);
      expect((await right(key, unverified)).status).toBe(403);
    }
    expect(await several(9, () => right(key, who))).toEqual(Array(9).fill(200));
  });

  it('are not those that the provider has not judged', async () => {
    const [key, who] = [await s.partner(), await person()];
    for (const code of ['IDENTITY_PROVIDER_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'FORBIDDEN'] as const) {
      const away = vi.spyOn(s.identity, 'passwordLogin').mockRejectedValue(new ServiceError(code));
      await several(8, () => wrong(key, who));
      away.mockRestore();
    }
    expect(await several(5, () => wrong(key, who))).toEqual([401, 401, 401, 401, 401]);
  });

  it('are no fewer than none, after a success while others were under way', async () => {
    const [key, who] = [await s.partner(), await person()];
    const login = s.identity.passwordLogin.bind(s.identity);
    const limited = new ServiceError('RATE_LIMIT_EXCEEDED');
    const refusing = (first: () => Promise<unknown>) =>
      vi.spyOn(s.identity, 'passwordLogin').mockImplementationOnce(async () => {
        await first();
        throw limited;
      });
    refusing(async () => {
      vi.spyOn(s.identity, 'passwordLogin').mockImplementationOnce(login);
      await right(key, who);
      refusing(() => Promise.resolve());
      await wrong(key, who);
    });
    await wrong(key, who);
    vi.restoreAllMocks();
    expect(await several(6, () => wrong(key, who))).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('are counted where another is between reading and counting, the first too', async () => {
    const [key, who] = [await s.partner(), await person()];
    const ctx = interrupted(testContext(s.deps, key), () => wrong(key, who));
    const { email } = who;
    await expect(logInCustomer(ctx, { email, password: 'Wrong-2027' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(await several(4, () => wrong(key, who))).toEqual([401, 401, 401, 429]);
  });

  it.each([0, 24 * 60])(
    'let five of 30 at once reach the provider, %i minutes after the last',
    async (since) => {
      const [key, who] = [await s.partner(), await person()];
      if (since > 0) await wrong(key, who);
      s.deps.clock.advance(since * minute);
      const calls = asked();
      const replies = await Promise.all(Array.from({ length: 30 }, () => wrong(key, who)));
      expect(calls()).toHaveLength(5);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(25);
    },
  );

  it('count probing by a registration too', async () => {
    const [key, who] = [await s.partner(), await person()];
    const calls = asked();
    const register = async () => {
      const body = { ...who, password: 'Wrong-2027', client_ip: home };
      return (await s.calls.call(key, 'registerCustomer', { body })).status;
    };
    const statuses = [];
    for (let at = 0; at < 7; at++) statuses.push(await register());
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429, 429]);
    expect(calls()).toEqual(Array(5).fill(home));
    expect((await wrong(key, who)).status).toBe(429);
    const account = (await s.identity.findUserByEmail(who.email))!;
    expect(await readUserBySubject(s.deps.table, account.subject)).toBeUndefined();
  });
});

describe('the provider locks a person out because of no key', () => {
  const days = async (key: PartnerCaller, who: Person, ip?: string) => {
    for (let at = 0; at < 60; at++) {
      const { status, wait } = await wrong(key, who, ip);
      expect([401, 429]).toContain(status);
      s.deps.clock.advance(wait * 1000);
    }
  };

  it.each([undefined, home])('over a long time, with the client’s address %s', async (ip) => {
    const [key, other, who] = [await s.partner(), await s.partner(), await person()];
    await days(key, who, ip);
    for (const from of [undefined, home]) expect((await right(other, who, from)).status).toBe(200);
    s.deps.clock.advance(60 * minute);
    for (const from of [undefined, home]) expect((await right(key, who, from)).status).toBe(200);
  });

  it('with the same forged address by many keys', async () => {
    const who = await person();
    for (let at = 0; at < 4; at++) {
      const key = await s.partner();
      await several(12, () => wrong(key, who, home));
    }
    expect((await right(await s.partner(), who, home)).status).toBe(200);
  });

  it('with successes in between, which end the count of the key', async () => {
    const [key, who] = [await s.partner(), await person()];
    for (let round = 0; round < 5; round++) {
      await several(4, () => wrong(key, who, home));
      expect((await right(key, who)).status).toBe(200);
    }
    expect((await right(await s.partner(), who, home)).status).toBe(200);
  });

  it('after a month it counts five for a named address again, no more', async () => {
    const [key, who] = [await s.partner(), await person()];
    const calls = asked();
    const months = async () => {
      for (let at = 0; at < 8; at++) {
        await wrong(key, who, home);
        s.deps.clock.advance(60 * minute);
      }
      return calls().filter((ip) => ip === home).length;
    };
    expect(await months()).toBe(5);
    s.deps.clock.advance(29 * 24 * 60 * minute);
    expect(await months()).toBe(5);
    s.deps.clock.advance(30 * 24 * 60 * minute);
    expect(await months()).toBe(10);
  });

  it('and counts as failed what may have been counted there: a login whose answer was lost', async () => {
    const [key, who] = [await s.partner(), await person()];
    const calls = asked();
    const away = vi
      .spyOn(s.identity, 'passwordLogin')
      .mockRejectedValue(new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE'));
    await several(5, () => wrong(key, who, home));
    away.mockReset();
    await wrong(key, who, home);
    expect(calls()).not.toContain(home);
  });
});

describe('the client’s address', () => {
  it('reaches the provider, also of a registration', async () => {
    const [key, who] = [await s.partner(), await person()];
    const calls = asked();
    for (const ip of [home, '2001:db8::7']) expect((await right(key, who, ip)).status).toBe(200);
    expect(calls()).toEqual([home, '2001:db8::7']);
    const signUp = vi.spyOn(s.identity, 'signUp');
    await s.calls.ok(key, 'registerCustomer', { body: { ...s.newPerson(), client_ip: home } });
    expect(signUp.mock.calls[0]?.[0]).toMatchObject({ clientIp: home });
  });

  it('is otherwise one of the partner, the e-mail address and the quarter of an hour', async () => {
    const [key, other, who, another] = [await s.partner(), await s.partner(), await person(), await person()];
    const calls = asked();
    await right(key, who);
    await right(key, who);
    await right(other, who);
    await right(key, another);
    s.deps.clock.advance(15 * minute);
    await right(key, who);
    const [first, second, ...rest] = calls();
    expect(first).toMatch(/^fd[0-9a-f]{2}(:[0-9a-f]{4}){7}$/);
    expect(second).toBe(first);
    expect(new Set([first, ...rest]).size).toBe(4);
  });

  it('is none of those that stand in for a partner’s', async () => {
    const [key, other, who] = [await s.partner(), await s.partner(), await person()];
    const calls = asked();
    await right(key, who);
    const [derived] = calls();
    await right(other, who, derived);
    expect(calls()[1]).not.toBe(derived);
  });

  it.each(['', 'localhost', '198.51.100.0/24', '198.51.100', 'fe80::1%eth0', '1.2.3.4\r\nx: y'])(
    'is refused as %j',
    async (client_ip) => {
      const body = { ...(await person()), client_ip };
      const { email, password } = body;
      for (const [verb, asking] of [
        ['logInCustomer', { email, password, client_ip }],
        ['registerCustomer', body],
      ] as const)
        expect(await s.calls.refusal(await s.partner(), verb, { body: asking })).toMatchObject({
          code: 'VALIDATION_ERROR',
          paths: ['client_ip'],
        });
    },
  );
});

describe('RATE_LIMIT_ATTEMPTS', () => {
  it('is how many may fail before the first wait', async () => {
    process.env['RATE_LIMIT_ATTEMPTS'] = '2';
    const [key, who] = [await s.partner(), await person()];
    expect(await several(3, () => wrong(key, who))).toEqual([401, 401, 429]);
  });

  it('off counts nothing here: the provider’s own count holds', async () => {
    process.env['RATE_LIMIT_ATTEMPTS'] = 'off';
    const [key, who] = [await s.partner(), await person()];
    expect(await several(12, () => wrong(key, who, home))).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
    ]);
    expect((await right(key, who)).status).toBe(200);
  });
});
