import { packStays } from '../../../shared/domain/booking/model.ts';
import { type User, UserEntity } from '../../../shared/domain/people/model.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { inLanes } from '../../../shared/platform/in-lanes.ts';
import { change, ConflictError, equals } from '../../../shared/platform/table/index.ts';
import { minuteMs } from '../../../shared/platform/time/time.ts';
import { subscriptions } from '../../../shared/subscriptions.ts';
import type { DeadLetters } from '../dead-letters.ts';
import { countOne, type Reading } from '../stored-items.ts';
import { erasedMessage } from './copies.ts';
import { type Mention, mentionsIn } from './mentions.ts';
import { findPerson, isRecordOf, type Person, type StoredPersonRef } from './person.ts';
import { ended, type Erasure, planErasure } from './plan-erasure.ts';
import { eachRecord } from './stored-records.ts';

export interface Erasing extends Reading {
  deps: Pick<Dependencies, 'table' | 'clock' | 'identity'>;
  deadLetters: Pick<DeadLetters, 'rewrite'>;
}

interface Wanted {
  person: StoredPersonRef;
  /** Keeps the account and the bookings that are not over, in place of refusing. */
  after_stays: boolean;
  /** The account at the identity provider was deleted by hand. */
  account_gone: boolean;
}

interface Erased {
  user_ids: number[];
  /** Items by entity. */
  changed: Record<string, number>;
  removed: Record<string, number>;
  /** Messages in dead-letter queues that were replaced. */
  dead_letters: number;
  /** Orders that are not over, with the account that they need. */
  left: number[];
  /** Texts of teams that name the person: the operator decides. */
  mentions: Mention[];
  /** Nothing was found to erase. */
  is_complete: boolean;
  /** Requests that were under way may have written once more: the run to repeat then finds it. */
  repeat_at: string | null;
}

const mostPasses = 5;
/** The gateway's cache of the authorizer and the longest request, with room. */
const inFlightMs = 2 * minuteMs;

/** Erases what is stored of a person. Repeating it after a failure completes it. */
export const erasePerson = async (erasing: Erasing, wanted: Wanted): Promise<Erased> => {
  const { deps } = erasing;
  const person = await findPerson(erasing, wanted.person);
  const left = [...person.liveOrderIds];
  requireErasable(person, wanted);
  const subject = left.length > 0 ? withoutAccount(person) : person;
  if (subject === person) await endAccounts(erasing, person, wanted);
  // Before the records, by which the messages of the person are known.
  const dead_letters = await eraseDeadLetters(erasing, subject);
  const done: Pick<Erased, 'changed' | 'removed' | 'mentions'> = { changed: {}, removed: {}, mentions: [] };
  for (let pass = 1; ; pass++) {
    const { erasures, mentions } = await readErasures(erasing, subject);
    if (pass === 1) done.mentions = mentions;
    if (erasures.length === 0) break;
    if (pass > mostPasses)
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The records of this person change too often: try again.',
      );
    await apply(erasing, erasures, done);
  }
  await packAgain(erasing, subject);
  const isComplete = Object.keys({ ...done.changed, ...done.removed }).length + dead_letters === 0;
  return {
    user_ids: [...person.userIds],
    ...done,
    dead_letters,
    left,
    is_complete: isComplete && left.length === 0,
    repeat_at: isComplete ? null : instantText(deps.clock.now() + inFlightMs),
  };
};

/** Returns what a run would write. */
export const previewErasure = async (
  erasing: Erasing,
  wanted: Wanted,
): Promise<{ user_ids: number[]; would_write: Record<string, number>; left: number[] }> => {
  const person = await findPerson(erasing, wanted.person);
  const left = [...person.liveOrderIds];
  requireErasable(person, wanted);
  const { erasures } = await readErasures(erasing, left.length > 0 ? withoutAccount(person) : person);
  const would_write: Record<string, number> = {};
  for (const { entity } of erasures) countOne(would_write, entity);
  return { user_ids: [...person.userIds], would_write, left };
};

const requireErasable = ({ users, liveOrderIds }: Person, { after_stays }: Wanted): void => {
  const hosts = users.flatMap(({ user, memberships }) =>
    memberships
      .filter(({ role }) => role !== 'CUSTOMER')
      .map(({ team_id }) => `${user.user_id} of team ${team_id}`),
  );
  if (hosts.length > 0)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `The person is a host (user ${hosts.join(', ')}): take them out of the team with member remove first.`,
    );
  if (users.some(({ user }) => user.system_role === 'ADMIN'))
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'The person is platform staff: user promote --role USER first.',
    );
  if (liveOrderIds.size > 0 && !after_stays)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `These orders are not over: ${[...liveOrderIds].join(', ')}. Cancel them, or erase the rest now with --after-stays.`,
    );
};

/** The person as far as bookings that are over are concerned. */
const withoutAccount = (person: Person): Person => ({
  ...person,
  userIds: new Set(),
  emails: new Set(),
  orderIds: new Set([...person.orderIds].filter((id) => !person.liveOrderIds.has(id))),
});

/** First of all the account ends, so that it writes nothing new; then it is deleted where the person logs in. */
const endAccounts = async ({ deps }: Erasing, { users }: Person, { account_gone }: Wanted): Promise<void> => {
  for (const { user } of users) {
    if (user.status !== 'DELETED') await endAccount(deps, user);
    if (user.auth0_id !== null && !account_gone) await deps.identity().deleteUser(user.auth0_id);
  }
};

/** Queues of work hold ids alone; those of events, what the event says. */
const eraseDeadLetters = async ({ deadLetters, progress }: Erasing, person: Person): Promise<number> => {
  let replaced = 0;
  for (const { consumer } of subscriptions) {
    replaced += await deadLetters.rewrite(consumer, (body) => erasedMessage(person, body));
    progress(`dead letters of ${consumer} read`);
  }
  return replaced;
};

const endAccount = (deps: Erasing['deps'], user: User): Promise<void> => {
  const set = ended(instantText(deps.clock.now()));
  return deps.table.transact([change(UserEntity, user, { set }, { when: equals('status', user.status) })]);
};

const readErasures = async (
  erasing: Erasing,
  person: Person,
): Promise<{ erasures: Erasure[]; mentions: Mention[] }> => {
  const erasures: Erasure[] = [];
  const mentions: Mention[] = [];
  await eachRecord(erasing, (record) => {
    const erasure = planErasure(person, erasing.deps.clock, record);
    if (erasure) erasures.push(erasure);
    else if (!isRecordOf(person, record.entity.name, record.fields))
      mentions.push(...mentionsIn(person, record));
  });
  return { erasures, mentions };
};

/** What has changed since it was read is left to the next pass. */
const apply = async (
  { deps, progress }: Erasing,
  erasures: readonly Erasure[],
  done: Pick<Erased, 'changed' | 'removed'>,
): Promise<void> => {
  for (const rank of [0, 1, 2, 3])
    await inLanes(
      erasures.filter((erasure) => erasure.rank === rank),
      async ({ entity, what, write }) => {
        try {
          await deps.table.transact([write]);
          countOne(done[what], entity);
          progress(`${entity} ${what}`);
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
        }
      },
    );
};

/** Packed lists hold the names of guests. They are packed again in each run: one before may have ended in between. */
const packAgain = async ({ deps }: Erasing, { orderIds }: Person): Promise<void> => {
  await packStays(deps, [...orderIds]);
};
