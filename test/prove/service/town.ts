import type { Dependencies } from '../../../shared/platform/context.ts';
import { logOf } from '../../../shared/platform/metrics/log.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import { testKey, testTeam, testUser } from '../../support/builders.ts';
import type { Client, Credential, Reply, Request } from './client.ts';
import type { Simulation } from './simulation.ts';
import type { Command } from '../memory/simulated-table.ts';
import { type ServiceTable, tableName } from './table.ts';
import { senderOf } from '../../support/sender.ts';
import type { SentMail } from './post.ts';
import type { HostBank } from './transfers/host-bank.ts';

/** A listing as the actors know it. */
export interface Home {
  id: number;
  team: Credential;
  parent?: number;
  isHouse: boolean;
  /** A room of a house, or one that may become so. */
  isRoom: boolean;
  isHourly: boolean;
  /** Its host accepts each stay. */
  isAccepted: boolean;
}

export type PartKind = 'rule' | 'service' | 'combo' | 'parking';

/** A booking that an actor knows from an answer. */
export interface Booked {
  /** The id of the order or of its only stay. */
  id: number;
  stays: { id: number; listing_id: number }[];
  by: Credential;
  kind: 'guest' | 'partner' | 'host';
  method: string;
  total: number;
  /** The pages of the bank that were opened for it. */
  pages: string[];
  isCancelled: boolean;
}

export interface Hook {
  id: number;
  url: string;
  partner: Credential;
  types: string[];
}

/** The address of guests of platforms, who get no mail. */
export const platformGuest = 'maria@platform.example';

/** A calendar of a platform, and what its host has said of it. */
export interface Followed {
  id: number;
  url: string;
  home: Home;
  /** As the last answer has it; undefined: one is not known. */
  said: { label?: string; counts_as?: string } | undefined;
  /** Each way in which its events may have counted. */
  counted: Set<string>;
  /** Gives the platform the address of our export for it, which is followed anew. */
  paste: (exportUrl: string) => void;
}

/** The first answer of a calendar that is followed. */
export interface NewFeed {
  id: number;
  label: string;
  counts_as: string;
  export_url: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const silentLog = logOf({ level: 'SILENT' });

/** How fast people live, and which days they want. */
interface Pace {
  /** 1: minutes between two deeds of a person. */
  slowness: number;
  /** Days until the week that everyone wants. */
  leadDays: number;
}

export const hours: Pace = { slowness: 1, leadDays: 20 };
export const month: Pace = { slowness: 500, leadDays: 1 };

/** The people, their homes, and what they know from answers of the service. */
export class Town {
  readonly homes: Home[] = [];
  readonly guests: Credential[] = [];
  readonly hosts: Credential[] = [];
  readonly partners: Credential[] = [];
  readonly bookings: Booked[] = [];
  readonly hooks: Hook[] = [];
  readonly followed: Followed[] = [];
  /** Blocks that hosts know from answers. */
  readonly blocks: { id: number; home: Home }[] = [];
  /** Mails with a link to a stay. */
  readonly letters: SentMail[] = [];
  readonly reviews: { id: number; home: Home }[] = [];
  readonly parts: { kind: PartKind; id: number; home: Home }[] = [];
  /** What actors found wrong in answers. */
  readonly problems: string[] = [];
  /** No new story starts. */
  isOver = false;
  /** No new story starts before the morning. */
  isNight = false;
  #keys = 0;
  readonly sim: Simulation;
  readonly client: Client;
  readonly hostBank: HostBank;
  /** How often guests have set out to pay by transfer, by reference. */
  readonly payers = new Map<string, number>();

  readonly #pace: Pace;

  constructor(sim: Simulation, client: Client, pace: Pace, hostBank: HostBank) {
    this.sim = sim;
    this.client = client;
    this.#pace = pace;
    this.hostBank = hostBank;
  }

  get isSlow(): boolean {
    return this.#pace.slowness > 1;
  }

  /** Today's date in the zone of the listings. */
  today(): string {
    return new Date(this.sim.now() + 7 * hourMs).toISOString().slice(0, 10);
  }

  /** The dates that everyone wants. */
  week(): string[] {
    const first = addDays(this.today(), this.#pace.leadDays);
    return Array.from({ length: 6 }, (_, day) => addDays(first, day));
  }

  /** Lives on for up to some minutes, at the pace of the history; returns whether life goes on. */
  async think(mostMinutes: number): Promise<boolean> {
    await this.#wait(mostMinutes * this.#pace.slowness, this.isSlow ? 6 * hourMs : minuteMs);
    while (this.isNight && !this.isOver) await this.sim.sleep(10 * minuteMs);
    return !this.isOver;
  }

  /** Thinks for up to some minutes in the middle of something. */
  pause(mostMinutes: number): Promise<void> {
    return this.#wait(mostMinutes, minuteMs);
  }

  /** Mostly several do the next thing at the same moment: at the full minute, or hour. */
  async #wait(mostMinutes: number, roundMs: number): Promise<void> {
    const { sim } = this;
    await sim.sleep(sim.between(0, mostMinutes) * minuteMs);
    if (sim.chance(0.7)) await sim.sleep(roundMs - (sim.now() % roundMs) + sim.between(0, 150));
  }

  newKey(): string {
    return `key-${++this.#keys}`;
  }

  home(id: number): Home {
    const found = this.homes.find((home) => home.id === id);
    if (!found) throw new Error(`no home ${id}`);
    return found;
  }

  /** Sends a request until it succeeds, while the town is built. */
  async must(who: Credential, request: Request): Promise<Reply> {
    const reply = await this.client.ask(who, request);
    if (!reply || reply.status >= 300) throw new Error(`${request.verb}: ${reply?.status} ${reply?.text}`);
    return reply;
  }

  /** People and keys are written; homes and webhooks are made through the API. */
  async build(table: ServiceTable): Promise<void> {
    const deps = directDependencies(table, this.sim);
    for (const name of ['hoa', 'minh']) {
      const { team_id } = await testTeam(deps, { name: `Team ${name}` });
      const { user } = await testUser(deps, {
        full_name: name,
        email: `${name}@host.example`,
        auth0_id: `auth0|${name}`,
        memberships: [{ team_id, role: 'OWNER' }],
      });
      this.hosts.push({ name: `host-${name}`, token: String(user.auth0_id), team: team_id });
    }
    for (const name of ['an', 'binh', 'chi', 'dung', 'em', 'gia', 'hien', 'khoa', 'lan', 'mai']) {
      const { user } = await testUser(deps, {
        full_name: name,
        email: `${name}@guest.example`,
        auth0_id: `auth0|${name}`,
      });
      this.guests.push({ name: `guest-${name}`, token: String(user.auth0_id) });
    }
    const teams = this.hosts.map(({ team }) => team!);
    for (const [name, team_ids] of [
      ['gio', teams],
      ['may', teams.slice(0, 1)],
    ] as const) {
      const { api_key, key } = await testKey(deps, { team_ids: [...team_ids], name });
      this.partners.push({ name: `partner-${name}`, key: api_key, keyId: key.key_id, teams: team_ids });
    }
    await this.#buildHomes();
    await this.#registerHooks();
  }

  async #buildHomes(): Promise<void> {
    const [hoa, minh] = this.hosts as [Credential, Credential];
    const house = await this.#home(hoa, 'House');
    for (const name of ['Room one', 'Room two', 'Room three'])
      await this.#home(hoa, name, { parent_listing_id: house.id });
    await this.#home(hoa, 'Villa');
    await this.#home(minh, 'Studio', { allow_hourly_booking: true, price_per_hour: 100_000, min_hours: 1 });
    await this.#home(minh, 'Loft', { instant_book_enabled: false });
  }

  /** The fields of a new listing. */
  listingBody(name: string): object {
    return {
      name,
      listing_type: 'ENTIRE_PLACE',
      property_type: 'villa',
      address: '12 Trần Hưng Đạo, Phường 10, Đà Lạt',
      province_code: 'LD',
      latitude: 11.9404,
      longitude: 108.4583,
      capacity: 6,
      guest_included_in_rate: 2,
      full_rate: 1_000_000,
      extra_adult_rate: 100_000,
      cleaning_fee: 200_000,
      refund_rule: 'Full refund until 3 days before check-in.',
      payment_methods: ['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'],
      transfer_window_hours: 1,
      state: 'ACTIVE',
    };
  }

  async #home(
    team: Credential,
    name: string,
    given: { parent_listing_id?: number; [field: string]: unknown } = {},
  ): Promise<Home> {
    const body = { ...this.listingBody(name), ...given };
    const path = '/api/v1/listings';
    const reply = await this.must(team, { verb: 'createListing', method: 'POST', path, body });
    const { parent_listing_id: parent } = given;
    const home: Home = {
      id: (reply.json as { id: number }).id,
      team,
      isHouse: name === 'House',
      isRoom: parent !== undefined,
      isHourly: 'allow_hourly_booking' in given,
      isAccepted: 'instant_book_enabled' in given,
      ...(parent === undefined ? {} : { parent }),
    };
    this.homes.push(home);
    return home;
  }

  async #registerHooks(): Promise<void> {
    const types = [
      'booking.created',
      'booking.cancelled',
      'booking.declined',
      'booking.confirmed',
      'booking.changed',
      'booking.no_show',
      'listing.rules_changed',
      'payment.paid',
      'payment.refunded',
    ];
    for (const partner of this.partners)
      for (const name of ['steady', 'shaky']) {
        const url = `https://${name}.${partner.name}.example.com/hooks`;
        const reply = await this.must(partner, {
          verb: 'createWebhook',
          method: 'POST',
          path: '/api/v1/external/webhooks',
          body: { url, event_types: types },
        });
        this.hooks.push({ id: (reply.json as { id: number }).id, url, partner, types });
      }
  }
}

/** Dependencies of a person with access to the table: the operator. */
export const directDependencies = (
  table: ServiceTable,
  sim: Simulation,
): Pick<Dependencies, 'table' | 'clock' | 'log'> => {
  const client = senderOf((command: Command) => table.execute(command));
  return { table: new Table({ client, tableName }), clock: { now: () => sim.now() }, log: silentLog };
};
