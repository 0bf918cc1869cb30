import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';

/** The position of a consumer in each shard of a stream; in memory without a dataDir. */
export interface Checkpoint {
  of(shardId: string): string | undefined;
  advance(shardId: string, sequenceNumber: string): void;
  /** Returns the lowest position over all shards that were started. */
  lowest(): string | undefined;
}

interface Saved {
  streamArn: string;
  shards: Record<string, string>;
}

const load = (path: string | undefined, streamArn: string): Saved => {
  const fresh: Saved = { streamArn, shards: {} };
  if (path === undefined || !existsSync(path)) return fresh;
  const saved = JSON.parse(readFileSync(path, 'utf8')) as Saved;
  // Another stream is of another table with the same name: start from its beginning.
  return saved.streamArn === streamArn ? saved : fresh;
};

export const openCheckpoint = (dataDir: string | undefined, name: string, streamArn: string): Checkpoint => {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const path = dataDir === undefined ? undefined : join(dataDir, `stream-${name}.json`);
  const saved = load(path, streamArn);
  return {
    of: (shardId) => saved.shards[shardId],
    advance: (shardId, sequenceNumber) => {
      saved.shards[shardId] = sequenceNumber;
      if (path !== undefined) replaceFile(path, `${JSON.stringify(saved)}\n`);
    },
    lowest: () => {
      const all = Object.values(saved.shards).map(BigInt);
      return all.length === 0 ? undefined : String(all.reduce((a, b) => (a < b ? a : b)));
    },
  };
};
