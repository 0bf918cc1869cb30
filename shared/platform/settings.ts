import * as z from 'zod';
import { readEnv } from './environment/env.ts';

const minutesSetting = (least: number, most: number, byDefault: number, description: string) => {
  const text = `must be a whole number of minutes from ${least} to ${most}`;
  return z.coerce
    .number(text)
    .int(text)
    .min(least, text)
    .max(most, text)
    .default(byDefault)
    .meta({ description, values: `${least} to ${most}` });
};

const percentSetting = (byDefault: number, description: string) => {
  const text = 'must be a whole number from 0 to 100';
  return z
    .string()
    .regex(/^([0-9]|[1-9][0-9]|100)$/, text)
    .transform(Number)
    .default(byDefault)
    .meta({ description, values: '0 to 100' });
};

const switchSetting = (description: string) =>
  z.enum(['on', 'off'], 'must be on or off').default('off').meta({ description, values: '`on` or `off`' });

/** A positive number, or `off`, which is parsed as null. */
const limitOrOff = (most: number, byDefault: number, of: string, description: string) =>
  z
    .string()
    .regex(orOffPattern(most), `must be a number of ${of} from 1 to ${most}, or off`)
    .refine(
      (text) => text === 'off' || Number(text) <= most,
      `must be a number of ${of} from 1 to ${most}, or off`,
    )
    .transform((text) => (text === 'off' ? null : Number(text)))
    .default(byDefault)
    .meta({ description, values: `1 to ${most}, or \`off\`` });

const orOffPattern = (most: number): RegExp => new RegExp(`^(off|[1-9][0-9]{0,${String(most).length - 1}})$`);

const mostRequests = 9_999_999;

/** The settings of the service. The docs, the stage files and the check at start are made from it. */
export const SettingsEnv = z.object({
  SOFT_LOCK_MINUTES: minutesSetting(
    1,
    60,
    15,
    'how long a checkout holds time and price; an extension adds as much',
  ),
  PAYMENT_WINDOW_MINUTES: minutesSetting(
    30,
    1440,
    1440,
    'how long a guest has to pay online before the booking is cancelled; never later than check-in, but at least 30',
  ),
  UNPAID_STAY_LIMIT: limitOrOff(
    999,
    5,
    'stays',
    "future stays that a customer may have unpaid: by cash, by transfer, or waiting for their `payment_url`; one booked after its check-in hour counts until it ends; partners' bookings are not counted",
  ),
  RATE_LIMIT_KEY: limitOrOff(
    mostRequests,
    600,
    'requests',
    'requests a minute of a key; the limit that the operator has set on a key holds in any case. All instances together never let more through in a minute; around the turn of a minute twice the limit may pass. A firewall (`waf`) answers one address 403 beyond twice this, at least 6,000 requests in 5 minutes; with `off`, beyond what the stage takes',
  ),
  RATE_LIMIT_USER: limitOrOff(mostRequests, 120, 'requests', 'requests a minute of a signed-in person'),
  RATE_LIMIT_GUEST: limitOrOff(
    mostRequests,
    30,
    'requests',
    'requests a minute by the links to a stay, all of them together',
  ),
  RATE_LIMIT_ADDRESS: limitOrOff(
    mostRequests,
    120,
    'requests',
    'requests a minute with publishable keys from one address, of IPv6 from one /64; each of these keys has the limit of a key beside it',
  ),
  RATE_LIMIT_ATTEMPTS: limitOrOff(
    5,
    5,
    'logins',
    'failed logins of a key, rotated ones together, with one e-mail address before the next one waits: a minute, then 2, 4 and more, up to an hour. With `off` none is counted here: what the identity provider counts holds, and a key that names addresses of clients (`client_ip`) can have it lock a person out there',
  ),
  RECORD_CHECK_PERCENT: percentSetting(
    1,
    'of the stored items that are read, how many are checked against their record; a mismatch is logged and raises an alarm, and the item is used. The authorizer, workers and schedules check 1 in 100; on a laptop every item is checked',
  ),
  SANDBOX_SCENARIOS: switchSetting(
    'whether a write may ask for an error by `X-Sandbox-Scenario`; on a laptop `on` unless set',
  ),
  TEAM_SIGN_UP: switchSetting(
    'whether a person who signs in with an application for hosts may make a team, at most 3 of them; with `off` the operator makes teams. On a laptop `on` unless set',
  ),
});
type Settings = z.infer<typeof SettingsEnv>;

const settingNames = Object.keys(SettingsEnv.shape);
let last: { texts: readonly (string | undefined)[]; settings: Settings } | undefined;

/**
 * Returns the settings of this process. Throws an error that names every invalid one. Reads the environment at every call, and
 * parses it when a setting has changed.
 */
export const readSettings = (
  environment: Record<string, string | undefined> = process.env,
): Readonly<Settings> => {
  const texts = settingNames.map((name) => environment[name]);
  if (last?.texts.every((text, at) => text === texts[at])) return last.settings;
  const settings = readEnv(SettingsEnv, environment);
  last = { texts, settings };
  return settings;
};

/** A setting as the documentation shows it. */
interface SettingRow {
  name: string;
  byDefault: string;
  values: string;
  meaning: string;
}

/** Returns all settings in order. */
export const settingRows = (): SettingRow[] => {
  const defaults: Record<string, unknown> = readSettings({});
  return Object.entries(SettingsEnv.shape).map(([name, schema]) => {
    const { description = '', values } = schema.meta() ?? {};
    return {
      name,
      byDefault: String(defaults[name]),
      values: String(values),
      meaning: description,
    };
  });
};

/** Returns how many future stays a customer may have unpaid (D85); null if unlimited. */
export const unpaidStayLimit = (): number | null => readSettings().UNPAID_STAY_LIMIT;

/** Whether people make teams themselves (D124). */
export const isTeamSignUpOn = (): boolean => readSettings().TEAM_SIGN_UP === 'on';

/** Returns how many of the items that are read are checked against their record, in percent. */
export const recordCheckPercent = (): number => readSettings().RECORD_CHECK_PERCENT;

/** Returns the limits of requests a minute (D10); null if off. */
export const rateLimits = (): Record<'key' | 'user' | 'guest' | 'address', number | null> => {
  const { RATE_LIMIT_KEY, RATE_LIMIT_USER, RATE_LIMIT_GUEST, RATE_LIMIT_ADDRESS } = readSettings();
  return {
    ...{ key: RATE_LIMIT_KEY, user: RATE_LIMIT_USER },
    ...{ guest: RATE_LIMIT_GUEST, address: RATE_LIMIT_ADDRESS },
  };
};

/** Returns how many logins of a partner with one e-mail address may fail before the next one waits (D10); null if off. */
export const failedLoginLimit = (): number | null => readSettings().RATE_LIMIT_ATTEMPTS;
