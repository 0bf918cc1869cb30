import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

type Payload = Record<string, unknown>;
type Row = Record<string, SQLOutputValue> | undefined;

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
const payloadOf = (row: Row): Payload | undefined =>
  typeof row?.['payload'] === 'string' ? (JSON.parse(row['payload']) as Payload) : undefined;

/**
 * Returns the storage adapter of oidc-provider for sessions, codes, grants and refresh tokens. Lifetimes use the system clock
 * (D74).
 */
export const createArtifactAdapter = (database: DatabaseSync) => {
  const put = database.prepare(
    'INSERT OR REPLACE INTO artifacts (model, id, uid, grant_id, payload, expires_at) VALUES (?, ?, ?, ?, ?, unixepoch() + ?)',
  );
  const get = database.prepare('SELECT payload FROM artifacts WHERE model = ? AND id = ?');
  const getByUid = database.prepare('SELECT payload FROM artifacts WHERE model = ? AND uid = ?');
  const remove = database.prepare('DELETE FROM artifacts WHERE model = ? AND id = ?');
  const removeGrant = database.prepare('DELETE FROM artifacts WHERE model = ? AND grant_id = ?');
  const markConsumed = database.prepare(
    "UPDATE artifacts SET payload = json_set(payload, '$.consumed', unixepoch()) WHERE model = ? AND id = ?",
  );
  database.exec('DELETE FROM artifacts WHERE expires_at < unixepoch()');
  return (model: string) => ({
    upsert: async (id: string, payload: Payload, expiresIn?: number) => {
      const { uid, grantId } = payload;
      put.run(model, id, textOrNull(uid), textOrNull(grantId), JSON.stringify(payload), expiresIn ?? null);
    },
    find: async (id: string) => payloadOf(get.get(model, id)),
    findByUid: async (uid: string) => payloadOf(getByUid.get(model, uid)),
    findByUserCode: async () => undefined,
    destroy: async (id: string) => void remove.run(model, id),
    consume: async (id: string) => void markConsumed.run(model, id),
    revokeByGrantId: async (grantId: string) => void removeGrant.run(model, grantId),
  });
};
