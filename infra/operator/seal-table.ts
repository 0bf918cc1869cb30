import {
  ListingEntity,
  openedListing,
  putListing,
  readListing,
  sealedListing,
} from '../../shared/domain/listing/model.ts';
import { sealWebhook, WebhookEntity } from '../../shared/domain/webhook/model.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { retryOnConflict } from '../../shared/platform/table/index.ts';
import { countOne, eachItem, type Fields, ofEntities, type Reading } from './stored-items.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'log' | 'sealing'>;

/** Whether an item has something as it is that is now encrypted, and how it is written encrypted. */
interface Sealed {
  isPlain: (item: Fields) => boolean;
  seal: (deps: Deps, item: Fields) => Promise<void>;
}

const sealListing = async (deps: Deps, { id }: Fields): Promise<void> => {
  const listing = await readListing(deps.table, Number(id));
  if (!listing) return;
  const opened = await openedListing(deps, listing);
  await deps.table.transact([putListing(await sealedListing(deps, opened))]);
};

const sealed: Readonly<Record<string, Sealed>> = {
  [ListingEntity.name]: {
    isPlain: ({ wifi_password, door_code }) => Boolean(wifi_password ?? door_code),
    seal: (deps, item) => retryOnConflict(() => sealListing(deps, item)),
  },
  [WebhookEntity.name]: {
    isPlain: ({ secrets }) => (secrets as Fields[]).some(({ text }) => text !== undefined),
    seal: (deps, { key_id, webhook_id }) =>
      sealWebhook(deps, { key_id: Number(key_id), webhook_id: Number(webhook_id) }),
  },
};

const eachPlain = (
  reading: Reading,
  take: (entity: string, item: Fields) => Promise<void> | void,
): Promise<void> =>
  eachItem(reading, ofEntities(Object.keys(sealed)), async (item) => {
    const entity = String(item['entity']);
    if (sealed[entity]?.isPlain(item)) await take(entity, item);
  });

/**
 * Encrypts door codes, Wi-Fi passwords and secrets of webhooks that a version before has written as they are (D140), and returns how
 * many records had such, by entity. What is encrypted is not found again, so a run that was interrupted is continued by the next.
 */
export const sealTable = async (
  deps: Deps,
  sealing: Reading & { turn: () => Promise<void> },
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  await eachPlain(sealing, async (entity, item) => {
    await sealing.turn();
    await sealed[entity]?.seal(deps, item);
    countOne(counts, entity);
  });
  return counts;
};

/** Returns how many records have such, by entity. */
export const countPlain = async (reading: Reading): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  await eachPlain(reading, (entity) => countOne(counts, entity));
  return counts;
};
