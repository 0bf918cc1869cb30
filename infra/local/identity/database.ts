import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { once } from '../../../shared/platform/once.ts';

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS users (subject TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tickets (hash TEXT PRIMARY KEY, subject TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS reset_tickets (hash TEXT PRIMARY KEY, subject TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS artifacts (
    model TEXT NOT NULL, id TEXT NOT NULL, uid TEXT, grant_id TEXT, payload TEXT NOT NULL, expires_at INTEGER,
    PRIMARY KEY (model, id));
  CREATE INDEX IF NOT EXISTS artifacts_by_grant ON artifacts (grant_id);
`;

/**
 * Opens a file in the data directory, so that users, keys and sessions survive a restart or kill -9; without a directory, an
 * in-memory database.
 */
export const openDatabase = (dataDir: string | undefined): DatabaseSync => {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const file = dataDir === undefined ? undefined : join(dataDir, 'identity.sqlite');
  const database = new DatabaseSync(file ?? ':memory:');
  // The file contains the private key.
  if (file !== undefined) chmodSync(file, 0o600);
  database.exec(schema);
  return database;
};

const setting = (database: DatabaseSync, name: string, make: () => string): string => {
  const row = database.prepare('SELECT value FROM settings WHERE name = ?').get(name);
  if (typeof row?.['value'] === 'string') return row['value'];
  const value = make();
  database.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(name, value);
  return value;
};

export type SigningKey = Record<string, unknown> & { kid: string };

const generateSigningKey = (): string => {
  const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ e: jwk.e, kty: 'RSA', n: jwk.n }), 'base64url');
  return JSON.stringify({ ...jwk, kid, use: 'sig', alg: 'RS256' });
};

const processKey = once(generateSigningKey);

/** Returns the signing key: stored with the data, else one for each process. */
export const readSigningKey = (database: DatabaseSync, isKept: boolean): SigningKey =>
  JSON.parse(
    setting(database, 'signing_key', () => (isKept ? generateSigningKey() : processKey())),
  ) as SigningKey;

export const readCookieSecret = (database: DatabaseSync): string =>
  setting(database, 'cookie_secret', () => randomBytes(32).toString('base64url'));
