import type { Mail } from '../../../shared/platform/mail/mailer.ts';
import type { Machine } from './machine.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

/** A mail as the mail service took it. */
export interface SentMail extends Mail {
  by: Machine;
  at: number;
}

/** The token of the link in a mail to a guest. */
export const linkIn = ({ text }: Pick<SentMail, 'text'>): string | undefined =>
  /https?:\/\/\S+\/g#(\S+)/.exec(text)?.[1];

/** The stay that a mail is about. */
export const stayIn = ({ text }: Pick<SentMail, 'text'>): number =>
  Number(/^(?:Mã đặt phòng|Booking): (\d+)$/m.exec(text)?.[1]);

const badMs = 20 * 60_000;

/** The endpoints of partners, and what they took. Those that are shaky fail, for minutes or for single calls. */
export class Received {
  readonly #sim: Simulation;
  readonly #weather: Weather;
  readonly #arrived = new Map<string, Map<string, number>>();
  readonly #downUntil = new Map<string, number>();

  constructor(sim: Simulation, weather: Weather) {
    this.#sim = sim;
    this.#weather = weather;
  }

  /** How often each event was taken. */
  of(url: string): ReadonlyMap<string, number> {
    return this.#arrived.get(url) ?? new Map<string, number>();
  }

  take(url: string, headers: Record<string, string>, body: string): number {
    if (url.includes('shaky')) {
      if (this.#weather.happens('an endpoint goes down', 0.03))
        this.#downUntil.set(url, this.#sim.now() + this.#sim.between(0, badMs));
      if (!this.#weather.isCalm && (this.#downUntil.get(url) ?? 0) > this.#sim.now()) return 503;
      if (this.#weather.happens('an endpoint answers 500', 0.1)) return 500;
    }
    // A test is no event.
    if (body.includes('"webhook.test"')) return 204;
    const arrived = this.#arrived.get(url) ?? new Map<string, number>();
    const id = headers['webhook-id'] ?? '';
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
    this.#arrived.set(url, arrived);
    return 204;
  }
}
